/** Shared memory that the event loop writes and another thread reads, also while the event loop hangs. */
export interface ActivityMemory {
  /** Operation names; `operations` contains indexes into this list. */
  readonly names: readonly string[]
  /** One number that rises while the event loop runs. */
  readonly pulse: Int32Array
  /** For each slot the number of its operation; -1: the slot is free. */
  readonly operations: Int32Array
  /** For each slot the size of the request in bytes. */
  readonly bytes: Float64Array
  /** For each slot the start of the request, in ms since the epoch. */
  readonly since: Float64Array
}

/** A running request. */
interface UnderWay {
  readonly operation: string
  /** Size of its parameters as received. */
  readonly bytes: number
  readonly ms: number
}

// Requests that are recorded at the same time; a healthy worker never has as many, and further ones are not recorded.
const slots = 256
const free = -1
const unnamed = 'a request'
/** Stands for the operation of a frame of a socket that is being read. */
export const frame = 'a frame'

/** Records the running requests of a worker and the pulse of its event loop. Each change is a few writes into an array. */
export class Activity {
  readonly memory: ActivityMemory
  private readonly free = Array.from({ length: slots }, (_, slot) => slot)
  private readonly numbers: ReadonlyMap<string, number>

  /** `operations`: the operations to record; others, such as long polls, only wait and cost nothing meanwhile. */
  constructor(operations: readonly string[]) {
    const names = [unnamed, frame, ...operations]
    this.numbers = new Map(names.map((name, number) => [name, number]))
    this.memory = {
      names,
      pulse: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
      operations: new Int32Array(new SharedArrayBuffer(slots * Int32Array.BYTES_PER_ELEMENT)).fill(free),
      bytes: new Float64Array(new SharedArrayBuffer(slots * Float64Array.BYTES_PER_ELEMENT)),
      since: new Float64Array(new SharedArrayBuffer(slots * Float64Array.BYTES_PER_ELEMENT)),
    }
  }

  /** Records a request; returns its slot, which the caller frees with `end`; -1: the operation is not recorded, or no slot is free. */
  begin(bytes: number, operation = unnamed): number {
    const number = this.numbers.get(operation)
    if (number === undefined) return -1
    const slot = this.free.pop()
    if (slot === undefined) return -1
    const { memory } = this
    memory.operations[slot] = number
    memory.bytes[slot] = bytes
    memory.since[slot] = Date.now()
    return slot
  }

  /** Sets the operation of a request. Returns the slot, or -1 if the operation is not recorded. */
  name(slot: number, operation: string): number {
    if (slot < 0) return slot
    const number = this.numbers.get(operation)
    if (number === undefined) {
      this.end(slot)
      return -1
    }
    this.memory.operations[slot] = number
    return slot
  }

  end(slot: number): void {
    if (slot < 0) return
    this.memory.operations[slot] = free
    this.free.push(slot)
  }

  /** The event loop calls this about once a second. */
  beat(): void {
    Atomics.add(this.memory.pulse, 0, 1)
  }
}

/** The running requests, oldest first, at most `most`. */
export function underWay({ names, operations, bytes, since }: ActivityMemory, most: number): UnderWay[] {
  const now = Date.now()
  const found: UnderWay[] = []
  operations.forEach((number, slot) => {
    const operation = names[number]
    if (operation !== undefined) found.push({ operation, bytes: bytes[slot] ?? 0, ms: now - (since[slot] ?? now) })
  })
  return found.sort((left, right) => right.ms - left.ms).slice(0, most)
}

/** Memory that the event loop writes and another thread reads, also while the loop hangs. */
export interface ActivityMemory {
  /** What stands in `operations` by number. */
  readonly names: readonly string[]
  /** One number, which rises as long as the event loop runs. */
  readonly pulse: Int32Array
  /** Of each slot the number of its operation; -1: the slot is free. */
  readonly operations: Int32Array
  /** Of each slot, in bytes of the request. */
  readonly bytes: Float64Array
  /** Of each slot, in milliseconds since the epoch. */
  readonly since: Float64Array
}

/** One request that is under way. */
export interface UnderWay {
  readonly operation: string
  /** Of its parameters, as they came. */
  readonly bytes: number
  readonly ms: number
}

// More requests at once than one worker has that is not in trouble; those beyond it are not noted.
const slots = 256
const free = -1
const unnamed = 0
/** A frame of a socket that is being read. */
export const frame = 1
const ownNames = ['a request', 'a frame']

/** Which requests a worker has under way, and that its event loop runs. Each change is a few writes into an array. */
export class Activity {
  readonly memory: ActivityMemory
  readonly #free = Array.from({ length: slots }, (_, slot) => slot)
  readonly #numbers: ReadonlyMap<string, number>

  /** Requests for operations that are not named here are not noted: they wait, and cost nothing meanwhile. */
  constructor(operations: readonly string[]) {
    const names = [...ownNames, ...operations]
    this.#numbers = new Map(names.map((name, number) => [name, number]))
    this.memory = {
      names,
      pulse: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
      operations: new Int32Array(new SharedArrayBuffer(slots * Int32Array.BYTES_PER_ELEMENT)).fill(free),
      bytes: new Float64Array(new SharedArrayBuffer(slots * Float64Array.BYTES_PER_ELEMENT)),
      since: new Float64Array(new SharedArrayBuffer(slots * Float64Array.BYTES_PER_ELEMENT)),
    }
  }

  /** Returns the slot that it has until `end`; -1: it has none. */
  begin(bytes: number, what = unnamed): number {
    const slot = this.#free.pop()
    if (slot === undefined) return -1
    const { memory } = this
    memory.operations[slot] = what
    memory.bytes[slot] = bytes
    memory.since[slot] = Date.now()
    return slot
  }

  /** What the request is for. Returns its slot, as `begin` does. */
  name(slot: number, operation: string): number {
    if (slot < 0) return slot
    const number = this.#numbers.get(operation)
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
    this.#free.push(slot)
  }

  /** To be called about once a second: the event loop runs. */
  beat(): void {
    Atomics.add(this.memory.pulse, 0, 1)
  }
}

/** What is under way, the oldest first, at most `most`. */
export function underWay({ names, operations, bytes, since }: ActivityMemory, most: number): UnderWay[] {
  const now = Date.now()
  const found: UnderWay[] = []
  operations.forEach((number, slot) => {
    const operation = names[number]
    if (operation !== undefined) found.push({ operation, bytes: bytes[slot] ?? 0, ms: now - (since[slot] ?? now) })
  })
  return found.sort((left, right) => right.ms - left.ms).slice(0, most)
}

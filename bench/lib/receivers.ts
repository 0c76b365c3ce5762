import type { ServerFrame } from '../../shared/wire/frames.js'

/** The part of an event that the checks need; `number` comes from the sender's text. */
interface Delivered {
  readonly id: number
  readonly number: number | undefined
  readonly isHeartbeat: boolean
}

interface Frame {
  readonly bytes: Buffer
  readonly events: readonly Delivered[]
  readonly reply: Extract<ServerFrame, { op: 'reply' }> | undefined
  readonly isHeartbeat: boolean
}

/** The text of the event with this number. */
export const textOf = (number: number): string => `event ${String(number).padStart(7, '0')}`
const numberIn = /event (\d{7})/

// All queues get the same bytes of the last few events; each frame is decoded once.
const framesKept = 32

/**
 * The queues of one server, with a check that each gets every event once and in order. Any deviation is an error: the
 * speed of a server that loses events means nothing.
 */
export class Receivers {
  /** Frames of single events in the order of their first arrival, while `isRecording`. */
  readonly recorded: Buffer[] = []
  isRecording = false
  readonly lastIds: Float64Array
  private _latencies = new Float64Array(0)
  private _delivered = 0
  private first = 0
  private count = 0
  private seen = new Uint8Array(0)
  private _missing = new Int32Array(0)
  private sentAt = new Float64Array(0)
  private done: (() => void)[] = []
  private readonly idOfNumber = new Map<number, number>()
  private readonly recent: Frame[] = []
  private oldest = 0

  constructor(
    readonly queues: number,
    private readonly decode: (bytes: Buffer) => ServerFrame = decodeFrame,
  ) {
    this.lastIds = new Float64Array(queues).fill(-1)
  }

  /** Expects these events in every queue. */
  expect(first: number, count: number): void {
    this.first = first
    this.count = count
    this.seen = new Uint8Array(count * this.queues)
    this._missing = new Int32Array(count).fill(this.queues)
    this.sentAt = new Float64Array(count)
    this._latencies = new Float64Array(count * this.queues)
    this._delivered = 0
    this.done = []
  }

  /** Resolves when every queue has received the event. */
  sent(number: number, at = performance.now()): Promise<void> {
    const index = number - this.first
    this.sentAt[index] = at
    return new Promise(resolve => {
      this.done[index] = resolve
    })
  }

  /** The missing events, as text. */
  get missing(): string {
    const numbers = [...this._missing].flatMap((queues, i) =>
      queues > 0 ? [`${this.first + i} (${queues} queues)`] : [],
    )
    return `${numbers.length} of ${this.count} events are missing somewhere: ${numbers.slice(0, 10).join(', ')}`
  }

  /** Number of deliveries in the present run. */
  get delivered(): number {
    return this._delivered
  }

  /** Milliseconds from send to receipt, of every delivery. */
  get latencies(): Float64Array {
    return this._latencies.subarray(0, this._delivered)
  }

  /** Processes a frame from a socket. */
  received(queue: number, payload: Buffer): Frame {
    const frame = this._decode(payload)
    if (frame.events.length > 0) {
      const now = performance.now()
      for (const event of frame.events) this.deliver(queue, event, now)
    }
    return frame
  }

  private deliver(queue: number, { id, number }: Delivered, now: number): void {
    const last = this.lastIds[queue] as number
    if (id <= last) throw new Error(`queue ${queue} got event ${id} after ${last}`)
    this.lastIds[queue] = id
    if (number === undefined) return
    const index = number - this.first
    if (!(index >= 0 && index < this.count)) throw new Error(`queue ${queue} got number ${number}, which was not sent`)
    const place = queue * this.count + index
    if (this.seen[place]) throw new Error(`queue ${queue} got number ${number} twice`)
    this.seen[place] = 1
    const known = this.idOfNumber.get(number)
    if (known === undefined) this.idOfNumber.set(number, id)
    else if (known !== id) throw new Error(`number ${number} is event ${known} in one queue and ${id} in another`)
    this._latencies[this._delivered] = now - (this.sentAt[index] as number)
    this._delivered += 1
    this._missing[index] = (this._missing[index] as number) - 1
    if (this._missing[index] === 0) this.done[index]?.()
  }

  private _decode(payload: Buffer): Frame {
    for (const frame of this.recent) if (frame.bytes.equals(payload)) return frame
    const bytes = Buffer.from(payload)
    const decoded = this.decode(bytes)
    if (decoded.op === 'error') throw new Error(`the server says ${decoded.code}: ${decoded.msg}`)
    const events = decoded.op === 'events' ? decoded.events.map(deliveredOf) : []
    const frame: Frame = {
      bytes,
      events,
      reply: decoded.op === 'reply' ? decoded : undefined,
      isHeartbeat: events.length === 1 && events[0]?.isHeartbeat === true,
    }
    if (events.length > 0) {
      this.recent[this.oldest] = frame
      this.oldest = (this.oldest + 1) % framesKept
      if (this.isRecording && events.length === 1 && events[0]?.number !== undefined) this.recorded.push(bytes)
    }
    return frame
  }

  /** For a server whose numbers and ids restart with each run, as those of the floor do. */
  restart(): void {
    this.lastIds.fill(-1)
    this.idOfNumber.clear()
  }
}

const decodeFrame = (bytes: Buffer): ServerFrame => JSON.parse(bytes.toString())

function deliveredOf(event: { id: number; type?: string; message?: unknown }): Delivered {
  const { content } = (event.message ?? {}) as { content?: string }
  const found = content === undefined ? null : numberIn.exec(content)
  return { id: event.id, number: found ? Number(found[1]) : undefined, isHeartbeat: event.type === 'heartbeat' }
}

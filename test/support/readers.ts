import { setTimeout as sleep } from 'node:timers/promises'
import type { Person } from './people.js'

interface SeenEvent {
  id: number
  type: string
  message?: { id: number; content: string }
}

/**
 * A client that reads one queue by long poll across server failures: it remembers the last handled event and retries
 * after a broken answer. Its events can be compared with the sent ones.
 */
export class PollReader {
  readonly events: SeenEvent[] = []
  /** Set if the server reported that the queue is gone. */
  lost: string | undefined
  private readonly abort = new AbortController()
  private lastEventId = -1
  private wake = () => {}
  private running: Promise<void> | undefined

  private constructor(
    readonly person: Person,
    readonly queueId: string,
  ) {}

  static async register(person: Person, params: Record<string, unknown> = {}): Promise<PollReader> {
    const body = await person.ok('POST', '/register', { event_types: ['message'], fetch_event_types: [], ...params })
    const reader = new PollReader(person, body.queue_id)
    reader.running = reader.read()
    return reader
  }

  private async read(): Promise<void> {
    while (!this.abort.signal.aborted && !this.lost) {
      try {
        const params = { queue_id: this.queueId, last_event_id: this.lastEventId }
        const { status, body } = await this.person.get('/events', params, this.abort.signal)
        if (body.code === 'BAD_EVENT_QUEUE_ID') this.lost = body.msg
        else if (status === 200) this.take(body.events)
        else await sleep(20)
      } catch {
        await sleep(20)
      }
      this.wake()
    }
  }

  private take(events: SeenEvent[]): void {
    for (const event of events) {
      this.events.push(event)
      this.lastEventId = event.id
    }
  }

  get messageIds(): number[] {
    return this.events.flatMap(event => (event.message ? [event.message.id] : []))
  }

  /** Waits until it has seen the message, or lost its queue. */
  async sees(messageId: number): Promise<void> {
    while (!this.lost && !this.messageIds.includes(messageId)) await new Promise<void>(resolve => (this.wake = resolve))
  }

  async stop(): Promise<void> {
    this.abort.abort()
    this.wake()
    await this.running
  }
}

interface Comparison {
  same(found: unknown, wanted: unknown, message: string): unknown
}

/** I1: every event once, in order, ids strictly increasing. */
export function sawAll(
  t: Comparison,
  reader: { events: { id: number }[]; messageIds: number[] },
  sent: number[],
): void {
  const ids = reader.events.map(event => event.id)
  t.same(
    ids,
    [...new Set(ids)].sort((a, b) => a - b),
    'event ids rise strictly',
  )
  const seen = reader.messageIds.filter(id => sent.includes(id))
  t.same(
    [...seen].sort((a, b) => a - b),
    [...sent].sort((a, b) => a - b),
    'every message once',
  )
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { WireEvent } from '../../../shared/wire/frames.js'
import type { Person } from '../../support/people.js'
import { call } from './call.js'
import { registerQueue } from './queue.js'
import { Reader } from './reader.js'

// In ms; the delay of a client after a failure, shortened.
const pauseMs = 20

/** Reads by long poll across failures: it remembers the last event and retries after a failure. */
export class PollReader extends Reader {
  /** Number of requests without status 200, by reason. */
  readonly failures: Record<string, number> = {}
  private isStopped = false
  private asking = new AbortController()
  private running: Promise<void> | undefined

  constructor(
    name: string,
    sees: ReadonlySet<string>,
    private readonly person: Person,
    private readonly queueId: string,
  ) {
    super(name, sees)
  }

  static async start(name: string, sees: ReadonlySet<string>, person: Person): Promise<PollReader> {
    const { queueId } = await registerQueue(person)
    return PollReader.resume(name, sees, person, queueId)
  }

  /** Reads an existing queue from its beginning. */
  static resume(name: string, sees: ReadonlySet<string>, person: Person, queueId: string): PollReader {
    const reader = new PollReader(name, sees, person, queueId)
    reader.running = reader.read()
    return reader
  }

  private async read(): Promise<void> {
    while (!this.isStopped && !this.lost) {
      // One per poll: a long-lived signal accumulates listeners.
      this.asking = new AbortController()
      const failure = await this.poll(this.asking.signal)
      if (!failure || this.isStopped) continue
      this.failures[failure] = (this.failures[failure] ?? 0) + 1
      await sleep(pauseMs)
    }
  }

  /** Returns the failure, if any. */
  private async poll(signal: AbortSignal): Promise<string | undefined> {
    const params = { queue_id: this.queueId, last_event_id: this.last }
    const { status, body, failure } = await call(this.person, 'GET', '/events', { params, signal })
    if (failure) return failure
    if (body.code === 'BAD_EVENT_QUEUE_ID') this.lose(String(body.msg))
    if (status !== 200) return `${status} ${body.code}`
    for (const event of body.events as WireEvent[]) this.handle(event)
    return undefined
  }

  async stop(): Promise<void> {
    this.isStopped = true
    this.asking.abort()
    await this.running
  }
}

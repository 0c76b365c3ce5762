import { setTimeout as sleep } from 'node:timers/promises'
import type { WireEvent } from '../../../shared/wire/frames.js'
import type { Person } from '../../support/people.js'
import { call } from './call.js'
import { registerQueue } from './queue.js'
import { Reader } from './reader.js'

// What a careful client does after a failure, made short.
const pauseMs = 20

/** Reads by long-poll through whatever happens: it remembers the last event and asks again after a failure. */
export class PollReader extends Reader {
  /** Requests that were not answered with 200, by what happened instead. */
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

  /** From the beginning of a queue that is there already. */
  static resume(name: string, sees: ReadonlySet<string>, person: Person, queueId: string): PollReader {
    const reader = new PollReader(name, sees, person, queueId)
    reader.running = reader.read()
    return reader
  }

  private async read(): Promise<void> {
    while (!this.isStopped && !this.lost) {
      // One for each: a signal that lives long gathers what listened to it.
      this.asking = new AbortController()
      const failure = await this.poll(this.asking.signal)
      if (!failure || this.isStopped) continue
      this.failures[failure] = (this.failures[failure] ?? 0) + 1
      await sleep(pauseMs)
    }
  }

  /** What went wrong, if anything did. */
  private async poll(signal: AbortSignal): Promise<string | undefined> {
    const params = { queue_id: this.queueId, last_event_id: this.last }
    const { status, body, failure } = await call(this.person, 'GET', '/events', params, signal)
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

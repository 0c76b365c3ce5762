import type { WireEvent } from '../../shared/wire/frames.js'
import { HttpClient } from '../lib/http-client.js'
import type { Account } from '../lib/load-protocol.js'
import type { QueueCheck } from './queue-check.js'
import { caughtUp, checkFrom, type Reader, type Reading, registerParams } from './reader.js'

/** A long-poll client: it registers, polls, and now and then registers another queue. */
export class PollReader implements Reader {
  check: QueueCheck | undefined
  listening: number | undefined
  private queueId = ''
  private isStopping = false
  private polling = Promise.resolve()
  // Its own connections, so that its waiting poll does not delay other requests.
  private readonly api: HttpClient

  constructor(
    readonly name: string,
    private readonly reading: Reading,
    private readonly who: Account,
  ) {
    this.api = new HttpClient({ port: Number(reading.url.port) })
  }

  async start(): Promise<this> {
    const begin = checkFrom(this.reading, this.name, this.who)
    const params = registerParams(this.reading.idleSeconds)
    const { queue_id, last_event_id } = await this.api.call(this.who, 'POST', '/register', params)
    this.reading.count('queues registered')
    this.check = begin(last_event_id as number)
    this.queueId = queue_id as string
    this.isStopping = false
    this.polling = this.poll(this.check).catch(error => {
      // The last poll of a deleted queue fails.
      if (!this.isStopping) this.reading.fail(error as Error)
    })
    return this
  }

  private async poll(check: QueueCheck): Promise<void> {
    this.listening = performance.now()
    while (!this.isStopping) {
      const params = { queue_id: this.queueId, last_event_id: check.lastId }
      const { events } = await this.api.call(this.who, 'GET', '/events', params)
      for (const event of events as WireEvent[]) {
        check.received(event)
        this.reading.count(`received: ${event.type}`)
      }
      this.reading.count('polls answered')
    }
  }

  /** Deletes the queue, which ends the waiting poll with an error, and registers another one. */
  async disturb(): Promise<void> {
    await caughtUp(this, this.reading.ledger)
    await this.stop(true)
    await this.start()
  }

  async stop(isPolite: boolean): Promise<void> {
    this.isStopping = true
    if (isPolite) {
      await this.api.call(this.who, 'DELETE', '/events', { queue_id: this.queueId })
      this.reading.count('queues deleted')
    } else {
      this.api.end()
    }
    await this.polling
    this.check = undefined
    this.listening = undefined
  }
}

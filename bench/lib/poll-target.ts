import { HttpClient } from './http-client.js'
import { type Account, authorizationOf, type Target } from './load-protocol.js'
import { LoadTarget, registration } from './load-target.js'
import { PollConnection } from './poll-connection.js'

const tailMark = Buffer.from('],"queue_id":')

/** Readers with a waiting poll each; the next poll follows each answer. */
export class PollTarget extends LoadTarget {
  private readonly api: HttpClient

  constructor(target: Target) {
    super(target, bytes => ({ op: 'events', events: JSON.parse(`${bytes}]}`).events }))
    this.api = new HttpClient(target)
  }

  /** The next poll acknowledges, so there is no deferred work. */
  settle(): void {}

  protected async openOne(account: Account, queue: number): Promise<void> {
    const { name, port, isFloor } = this.target
    const { queue_id, last_event_id } = isFloor
      ? bare(queue)
      : await this.api.call(account, 'POST', '/register', registration)
    const before = `GET /api/v1/events?queue_id=${queue_id}&last_event_id=`
    const after = ` HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUser-Agent: ParleyBench/1.0\r\nAuthorization: ${authorizationOf(account)}\r\n\r\n`
    const { receivers } = this
    receivers.lastIds[queue] = last_event_id as number
    const connection = new PollConnection({
      port,
      onBody: body => {
        // The answers to different clients differ only in the queue's id.
        const end = body.lastIndexOf(tailMark)
        if (end < 0) throw new Error(`${name}: poll ${queue} was answered ${body}`)
        receivers.received(queue, body.subarray(0, end))
        connection.ask(`${before}${receivers.lastIds[queue]}${after}`)
      },
      onEnd: reason => {
        throw new Error(`poll ${queue} of ${name}: ${reason}`)
      },
    })
    connection.ask(`${before}${last_event_id}${after}`)
  }
}

/** The bare server ignores both values; they have the same length as Parley's. */
const bare = (queue: number) => ({ queue_id: String(queue).padStart(36, '0'), last_event_id: -1 })

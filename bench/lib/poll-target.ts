import type { Account, Run, RunResult, Target } from './load-protocol.js'
import type { LoadedTarget } from './loaded-target.js'
import { PollConnection } from './poll-connection.js'
import { Receivers } from './receivers.js'
import { runWith } from './run-with.js'
import { senderFor } from './sender.js'

// Queues registered at once.
const openTogether = 20

const registration = {
  event_types: JSON.stringify(['message']),
  fetch_event_types: JSON.stringify([]),
  apply_markdown: 'true',
  client_gravatar: 'true',
  client_capabilities: JSON.stringify({
    notification_settings_null: true,
    bulk_message_deletion: true,
    user_avatar_url_field_optional: true,
    empty_topic_name: true,
    archived_channels: true,
  }),
}

const tailMark = Buffer.from('],"queue_id":')

/** One server under load: a queue per account with a waiting poll; the next poll follows each answer. */
export class PollTarget implements LoadedTarget {
  readonly #target: Target
  readonly #receivers: Receivers
  readonly #send: (number: number) => Promise<void>
  #next = 1

  constructor(target: Target) {
    this.#target = target
    this.#receivers = new Receivers(target.accounts.length, bytes => ({
      op: 'events',
      events: JSON.parse(`${bytes}]}`).events,
    }))
    this.#send = senderFor(target)
  }

  async open(): Promise<void> {
    const { accounts } = this.#target
    for (let start = 0; start < accounts.length; start += openTogether) {
      await Promise.all(
        accounts.slice(start, start + openTogether).map((account, i) => this.#openOne(account, start + i)),
      )
    }
  }

  async run({ first = this.#next, ...run }: Run): Promise<RunResult> {
    if (this.#target.isFloor) this.#receivers.restart()
    this.#next = first + run.events
    return runWith(this.#target.name, this.#receivers, this.#send, { ...run, first })
  }

  /** The next poll acknowledges, so there is no deferred work. */
  settle(): void {}

  async #openOne(account: Account, queue: number): Promise<void> {
    const { name, host, port, isFloor } = this.#target
    const authorization = `Basic ${Buffer.from(`${account.email}:${account.api_key}`).toString('base64')}`
    const { queue_id, last_event_id } = isFloor ? bare(queue) : await this.#register(authorization)
    const before = `GET /api/v1/events?queue_id=${queue_id}&last_event_id=`
    const after = ` HTTP/1.1\r\nHost: ${host}:${port}\r\nUser-Agent: ParleyBench/1.0\r\nAuthorization: ${authorization}\r\n\r\n`
    const receivers = this.#receivers
    receivers.lastIds[queue] = last_event_id
    const connection = new PollConnection({
      host,
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

  async #register(authorization: string): Promise<{ queue_id: string; last_event_id: number }> {
    const response = await fetch(`http://${this.#target.host}:${this.#target.port}/api/v1/register`, {
      method: 'POST',
      headers: { authorization },
      body: new URLSearchParams(registration),
    })
    if (response.status !== 200) throw new Error(`register: ${response.status} ${await response.text()}`)
    return (await response.json()) as { queue_id: string; last_event_id: number }
  }
}

/** The bare server ignores both values; they have the same length as Parley's. */
const bare = (queue: number) => ({ queue_id: String(queue).padStart(36, '0'), last_event_id: -1 })

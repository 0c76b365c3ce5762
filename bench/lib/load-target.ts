import { ackDelay, defaultAck } from '../../shared/client/acknowledgements.js'
import { type Codec, pack } from '../../shared/wire/codec.js'
import type { ClientFrame, ServerFrame } from '../../shared/wire/frames.js'
import type { Account, Run, RunResult, Target } from './load-protocol.js'
import type { LoadedTarget } from './loaded-target.js'
import { RawSocket } from './raw-socket.js'
import { Receivers } from './receivers.js'
import { runWith } from './run-with.js'
import { senderFor } from './sender.js'

// Interval in ms of the check for due acknowledgements.
const ackTickMs = 25
// Sockets opened at once: all of them together would overflow the listen queue.
const openTogether = 50
// In ms; no delivery takes so long, even on a busy machine.
const stallMs = 20_000

const register = {
  event_types: ['message'],
  fetch_event_types: [],
  apply_markdown: true,
  client_gravatar: true,
  client_capabilities: {
    notification_settings_null: true,
    bulk_message_deletion: true,
    user_avatar_url_field_optional: true,
    empty_topic_name: true,
    archived_channels: true,
  },
}

// The packet format of socket.io: packet type, message type, JSON.
const letIn = '40'
const [aMessage, anEvent] = [0x34, 0x32]
const decodeSocketIo = (bytes: Buffer): ServerFrame => JSON.parse(bytes.toString('utf8', 2))[1]

/** One server under load: a socket and a queue per account, a sender, and the checks. */
export class LoadTarget implements LoadedTarget {
  readonly #target: Target
  readonly #receivers: Receivers
  readonly #sockets: RawSocket[] = []
  readonly #acknowledged: Float64Array
  /** When each socket acknowledges next, and how many events are unacknowledged, with the rules of shared/client. */
  readonly #ackAt: Float64Array
  readonly #unacknowledged: Int32Array
  readonly #registered: (() => void)[] = []
  readonly #send: (number: number) => Promise<void>
  #next = 1

  constructor(target: Target) {
    this.#target = target
    this.#receivers = new Receivers(target.accounts.length, target.isSocketIo ? decodeSocketIo : undefined)
    this.#acknowledged = new Float64Array(target.accounts.length).fill(-1)
    this.#ackAt = new Float64Array(target.accounts.length).fill(Number.POSITIVE_INFINITY)
    this.#unacknowledged = new Int32Array(target.accounts.length)
    this.#send = senderFor(target)
  }

  async open(): Promise<void> {
    const { accounts, isFloor } = this.#target
    for (let start = 0; start < accounts.length; start += openTogether) {
      await Promise.all(
        accounts.slice(start, start + openTogether).map((account, i) => this.#openOne(account, start + i)),
      )
    }
    if (!isFloor) setInterval(() => this.#acknowledgeDue(), ackTickMs)
  }

  async run({ first = this.#next, ...run }: Run): Promise<RunResult> {
    if (this.#target.isFloor) this.#receivers.restart()
    this.#next = first + run.events
    return runWith(this.#target.name, this.#receivers, this.#send, { ...run, first })
  }

  /** Acknowledges all remaining events. */
  settle(): void {
    for (let queue = 0; queue < this.#sockets.length; queue++) this.#acknowledge(queue)
  }

  async #openOne(account: Account, queue: number): Promise<void> {
    const { name, host, port, codec, isFloor, isSocketIo } = this.#target
    const socket = new RawSocket({
      host,
      port,
      path: isSocketIo ? '/socket.io/?EIO=4&transport=websocket' : '/api/v1/socket',
      headers: {
        Authorization: `Basic ${Buffer.from(`${account.email}:${account.api_key}`).toString('base64')}`,
        'Sec-WebSocket-Protocol': `chat.v1.${codec}`,
        'User-Agent': 'ParleyBench/1.0',
      },
      onFrame: payload => this.#received(queue, payload),
      onEnd: reason => {
        throw new Error(`socket ${queue} of ${name}: ${reason}`)
      },
    })
    this.#sockets[queue] = socket
    await socket.opened
    if (isFloor && !isSocketIo) return
    const registered = new Promise<void>(resolve => {
      this.#registered[queue] = resolve
    })
    const late = setTimeout(() => {
      throw new Error(`${name}: socket ${queue} was not let in`)
    }, stallMs)
    socket.send(isSocketIo ? letIn : encode({ op: 'register', id: 1, params: register }, codec))
    await registered
    clearTimeout(late)
  }

  #received(queue: number, payload: Buffer): void {
    if (this.#target.isSocketIo && payload[1] !== anEvent) {
      if (payload[0] === aMessage) this.#registered[queue]?.()
      return
    }
    const { reply, isHeartbeat } = this.#read(queue, payload)
    if (!reply) {
      this.#handled(queue, isHeartbeat)
      return
    }
    if (reply.status !== 200) throw new Error(`socket ${queue} was answered ${JSON.stringify(reply.body)}`)
    const last = reply.body.last_event_id as number
    this.#receivers.lastIds[queue] = last
    this.#acknowledged[queue] = last
    this.#registered[queue]?.()
  }

  #read(queue: number, payload: Buffer) {
    try {
      return this.#receivers.received(queue, payload)
    } catch (error) {
      throw new Error(`${this.#target.name}: ${(error as Error).message}`)
    }
  }

  /** Acknowledges a heartbeat at once, as shared/client does. */
  #handled(queue: number, isHeartbeat: boolean): void {
    const count = (this.#unacknowledged[queue] as number) + 1
    this.#unacknowledged[queue] = count
    if (count >= defaultAck.events || isHeartbeat) this.#acknowledge(queue)
    else if (count === 1) this.#ackAt[queue] = performance.now() + ackDelay(this.#target.ackMs)
  }

  #acknowledgeDue(): void {
    const now = performance.now()
    const at = this.#ackAt
    for (let queue = 0; queue < at.length; queue++) if ((at[queue] as number) <= now) this.#acknowledge(queue)
  }

  #acknowledge(queue: number): void {
    this.#ackAt[queue] = Number.POSITIVE_INFINITY
    this.#unacknowledged[queue] = 0
    const last = this.#receivers.lastIds[queue] as number
    if (this.#target.isFloor || last <= (this.#acknowledged[queue] as number)) return
    this.#acknowledged[queue] = last
    this.#sockets[queue]?.send(encode({ op: 'ack', last_event_id: last }, this.#target.codec))
  }
}

const encode = (frame: ClientFrame, codec: Codec): string | Uint8Array =>
  codec === 'msgpack' ? pack(frame) : JSON.stringify(frame)

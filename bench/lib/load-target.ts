import { type Codec, pack } from '../../shared/wire/codec.js'
import type { ClientFrame } from '../../shared/wire/frames.js'
import type { Account, Run, RunResult, Target } from './load-protocol.js'
import { RawSocket } from './raw-socket.js'
import { Receivers } from './receivers.js'
import { senderFor } from './sender.js'
import { percentile } from './statistics.js'

// Each socket acknowledges at its own time: all at once would be a burst that no clients make.
const ackSlices = 20
// Sockets that are opened at once: all of them together would overrun the listen queue.
const openTogether = 50
// Nothing takes so long, also on a machine that has other things to do.
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

/** One server under load: a socket and a queue for each account, a sender, the checks. */
export class LoadTarget {
  readonly #target: Target
  readonly #receivers: Receivers
  readonly #sockets: RawSocket[] = []
  readonly #acknowledged: Float64Array
  readonly #registered: (() => void)[] = []
  readonly #send: (number: number) => Promise<void>
  #next = 1
  #slice = 0

  constructor(target: Target) {
    this.#target = target
    this.#receivers = new Receivers(target.accounts.length)
    this.#acknowledged = new Float64Array(target.accounts.length).fill(-1)
    this.#send = senderFor(target)
  }

  async open(): Promise<void> {
    const { accounts, isFloor } = this.#target
    for (let start = 0; start < accounts.length; start += openTogether) {
      await Promise.all(
        accounts.slice(start, start + openTogether).map((account, i) => this.#openOne(account, start + i)),
      )
    }
    if (!isFloor) setInterval(() => this.#acknowledgeSlice(), this.#target.ackMs / ackSlices)
  }

  async run({ events, inFlight, isRecording = false, first = this.#next }: Run): Promise<RunResult> {
    const receivers = this.#receivers
    if (this.#target.isFloor) receivers.restart()
    receivers.expect(first, events)
    receivers.isRecording = isRecording
    receivers.recorded.length = 0
    this.#next = first + events
    const cpu = process.cpuUsage()
    const begun = performance.now()
    let number = first
    const sendOnes = async () => {
      while (number < first + events) {
        const own = number++
        const delivered = receivers.sent(own)
        await this.#send(own)
        await delivered
      }
    }
    const watch = this.#watch()
    await Promise.all(Array.from({ length: inFlight }, sendOnes))
    clearInterval(watch)
    const elapsedMs = performance.now() - begun
    const used = process.cpuUsage(cpu)
    const { latencies } = receivers
    return {
      first,
      deliveries: latencies.length,
      elapsedMs,
      p50: percentile(latencies, 0.5),
      p99: percentile(latencies, 0.99),
      clientCore: (used.user + used.system) / 1000 / elapsedMs,
      recorded: isRecording ? [...receivers.recorded] : [],
    }
  }

  /** Nothing for a while is an event lost, and must not look like a long measurement. */
  #watch(): NodeJS.Timeout {
    let seen = -1
    return setInterval(() => {
      if (this.#receivers.delivered === seen) throw new Error(`${this.#target.name}: ${this.#receivers.missing}`)
      seen = this.#receivers.delivered
    }, stallMs)
  }

  /** Acknowledges the rest. */
  settle(): void {
    for (let queue = 0; queue < this.#sockets.length; queue++) this.#acknowledge(queue)
  }

  async #openOne(account: Account, queue: number): Promise<void> {
    const { name, host, port, codec, isFloor } = this.#target
    const socket = new RawSocket({
      host,
      port,
      path: '/api/v1/socket',
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
    if (isFloor) return
    const registered = new Promise<void>(resolve => {
      this.#registered[queue] = resolve
    })
    const late = setTimeout(() => {
      throw new Error(`${name}: socket ${queue} has no answer to register`)
    }, stallMs)
    socket.send(encode({ op: 'register', id: 1, params: register }, codec))
    await registered
    clearTimeout(late)
  }

  #received(queue: number, payload: Buffer): void {
    const reply = this.#read(queue, payload)
    if (!reply) return
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

  #acknowledgeSlice(): void {
    this.#slice = (this.#slice + 1) % ackSlices
    for (let queue = this.#slice; queue < this.#sockets.length; queue += ackSlices) this.#acknowledge(queue)
  }

  #acknowledge(queue: number): void {
    const last = this.#receivers.lastIds[queue] as number
    if (this.#target.isFloor || last <= (this.#acknowledged[queue] as number)) return
    this.#acknowledged[queue] = last
    this.#sockets[queue]?.send(encode({ op: 'ack', last_event_id: last }, this.#target.codec))
  }
}

const encode = (frame: ClientFrame, codec: Codec): string | Uint8Array =>
  codec === 'msgpack' ? pack(frame) : JSON.stringify(frame)

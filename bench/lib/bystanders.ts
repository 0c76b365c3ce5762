import { setTimeout as sleep } from 'node:timers/promises'
import { type Codec, pack } from '../../shared/wire/codec.js'
import type { ClientFrame } from '../../shared/wire/frames.js'
import type { Account } from './load-protocol.js'
import { RawSocket } from './raw-socket.js'
import { senderFor } from './sender.js'
import { percentile } from './statistics.js'

export interface Bystanding {
  readonly port: number
  readonly codec: Codec
  /** The first one sends, the others read. */
  readonly accounts: readonly Account[]
  readonly channelId: number
  /** Milliseconds between two messages. */
  readonly every: number
}

/** In ms, since the previous call. */
export interface Stalls {
  /** From sending a message to its receipt, by all readers that stayed connected. */
  readonly longestDelivery: number
  /** 0 without deliveries. */
  readonly medianDelivery: number
  readonly p99Delivery: number
  readonly longestSend: number
  readonly deliveries: number
}

const reconnectMs = 3000

/** Clients outside the measured load that detect when the server stalls. */
export class Bystanders {
  readonly #given: Bystanding
  readonly #sentAt = new Map<number, number>()
  #send: (number: number) => Promise<void>
  #number = 0
  #deliveries: number[] = []
  #longestSend = 0

  constructor(given: Bystanding) {
    this.#given = given
    this.#send = this.#sender()
  }

  async open(): Promise<void> {
    for (const account of this.#given.accounts.slice(1)) await this.#read(account)
    void this.#talk()
  }

  look(): Stalls {
    const waits = Float64Array.from(this.#deliveries)
    const waitOf = (share: number) => (waits.length > 0 ? percentile(waits, share) : 0)
    const stalls = {
      longestDelivery: waitOf(1),
      medianDelivery: waitOf(0.5),
      p99Delivery: waitOf(0.99),
      longestSend: this.#longestSend,
      deliveries: waits.length,
    }
    this.#deliveries = []
    this.#longestSend = 0
    return stalls
  }

  #sender(): (number: number) => Promise<void> {
    const { port, codec, accounts, channelId } = this.#given
    const sender = accounts[0] as Account
    const common = { host: '127.0.0.1', codec, accounts: [], sender, channelId, textLength: 60, ackMs: 0 }
    return senderFor({ ...common, name: 'bystanders', port, isFloor: false })
  }

  async #talk(): Promise<void> {
    for (;;) {
      const number = ++this.#number
      const at = performance.now()
      this.#sentAt.set(number, at)
      this.#sentAt.delete(number - 1000)
      try {
        await this.#send(number)
        this.#longestSend = Math.max(this.#longestSend, performance.now() - at)
      } catch {
        // The connection was to the worker that was killed.
        this.#send = this.#sender()
      }
      await sleep(Math.max(0, this.#given.every - (performance.now() - at)))
    }
  }

  async #read(account: Account): Promise<void> {
    const { port, codec } = this.#given
    const { email, api_key } = account
    const socket = new RawSocket({
      host: '127.0.0.1',
      port,
      path: '/api/v1/socket',
      headers: {
        Authorization: `Basic ${Buffer.from(`${email}:${api_key}`).toString('base64')}`,
        'Sec-WebSocket-Protocol': `chat.v1.${codec}`,
        'User-Agent': 'ParleyBench/1.0',
      },
      onFrame: payload => this.#received(payload),
      // The reader's worker was killed: the reader registers again after reconnectMs.
      onEnd: () => void sleep(reconnectMs).then(() => this.#read(account)),
    })
    await socket.opened
    const params = { event_types: ['message'], fetch_event_types: [], apply_markdown: true }
    const frame: ClientFrame = { op: 'register', id: 1, params }
    socket.send(codec === 'msgpack' ? pack(frame) : JSON.stringify(frame))
  }

  #received(payload: Buffer): void {
    const now = performance.now()
    for (const [, number] of payload.toString('latin1').matchAll(/event (\d{7})/g)) {
      const sent = this.#sentAt.get(Number(number))
      if (sent === undefined) continue
      this.#deliveries.push(now - sent)
    }
  }
}

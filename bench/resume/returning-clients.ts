import { setTimeout as sleep } from 'node:timers/promises'
import { pack } from '../../shared/wire/codec.js'
import type { ClientFrame } from '../../shared/wire/frames.js'
import { RawSocket } from '../lib/raw-socket.js'
import { Receivers } from '../lib/receivers.js'
import { percentile } from '../lib/statistics.js'
import type { Missed, Returned, ReturningTarget } from './protocol.js'

// In ms; no resume takes so long, even on a busy machine.
const patienceMs = 60_000
const openTogether = 50
// In ms: acknowledgements at a low rate, as in shared/client.
const ackMs = 1000

/** Clients of one server with a queue each; all disconnect and reconnect together. */
export class ReturningClients {
  readonly #target: ReturningTarget
  readonly #receivers: Receivers
  readonly #sockets: (RawSocket | undefined)[]
  readonly #queueIds: string[] = []
  readonly #replied: ((body: Record<string, unknown>) => void)[] = []
  #frames: Buffer[] = []

  constructor(target: ReturningTarget) {
    this.#target = target
    this.#receivers = new Receivers(target.accounts.length)
    this.#sockets = target.accounts.map(() => undefined)
  }

  async open(): Promise<void> {
    await this.#all(openTogether, async client => {
      await this.#connect(client)
      if (this.#target.isFloor) return
      const params = { event_types: ['message'], fetch_event_types: [], apply_markdown: true }
      const body = await this.#ask(client, { op: 'register', id: 1, params })
      this.#queueIds[client] = body.queue_id as string
      this.#receivers.lastIds[client] = body.last_event_id as number
    })
  }

  /** Closes the sockets; those to a dead server are closed already. */
  leave(): void {
    for (const socket of this.#sockets) socket?.end()
    this.#sockets.fill(undefined)
  }

  async return({ first, count, together }: Missed): Promise<Returned> {
    this.#frames = []
    if (this.#target.isFloor) this.#receivers.restart()
    this.#receivers.expect(first, count)
    const begun = performance.now()
    const events = Promise.all(Array.from({ length: count }, (_, i) => this.#receivers.sent(first + i)))
    const late = sleep(patienceMs, 'late' as const, { ref: false })
    const attached = this.#all(together, async client => {
      await this.#connect(client)
      const last_event_id = this.#receivers.lastIds[client] as number
      if (this.#target.isFloor) this.#send(client, { op: 'attach', queue_id: 'any', last_event_id })
      else await this.#ask(client, { op: 'attach', id: 1, queue_id: this.#queueIds[client] as string, last_event_id })
    })
    if ((await Promise.race([Promise.all([attached, events]), late])) === 'late') {
      throw new Error(`not all clients came back: ${this.#receivers.missing}`)
    }
    const elapsedMs = performance.now() - begun
    const { latencies } = this.#receivers
    setTimeout(() => this.#acknowledge(), ackMs)
    return { elapsedMs, p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99), frames: this.#frames }
  }

  #acknowledge(): void {
    if (this.#target.isFloor) return
    for (let client = 0; client < this.#sockets.length; client++) {
      this.#send(client, { op: 'ack', last_event_id: this.#receivers.lastIds[client] as number })
    }
  }

  /** Runs `work` for each client, with at most `together` at a time. */
  async #all(together: number, work: (client: number) => Promise<void>): Promise<void> {
    let next = 0
    const requestLoop = async () => {
      while (next < this.#target.accounts.length) await work(next++)
    }
    await Promise.all(Array.from({ length: together }, requestLoop))
  }

  async #connect(client: number): Promise<void> {
    const { port, codec, accounts } = this.#target
    const { email, api_key } = accounts[client] as { email: string; api_key: string }
    const socket = new RawSocket({
      host: '127.0.0.1',
      port,
      path: '/api/v1/socket',
      headers: {
        Authorization: `Basic ${Buffer.from(`${email}:${api_key}`).toString('base64')}`,
        'Sec-WebSocket-Protocol': `chat.v1.${codec}`,
        'User-Agent': 'ParleyBench/1.0',
      },
      onFrame: payload => this.#received(client, payload),
      onEnd: () => {
        if (this.#sockets[client] === socket) this.#sockets[client] = undefined
      },
    })
    this.#sockets[client] = socket
    await socket.opened
  }

  #received(client: number, payload: Buffer): void {
    const { reply } = this.#receivers.received(client, payload)
    if (!reply) {
      if (client === 0) this.#frames.push(Buffer.from(payload))
      return
    }
    if (reply.status !== 200) throw new Error(`client ${client} was answered ${JSON.stringify(reply.body)}`)
    this.#replied[client]?.(reply.body)
  }

  #ask(client: number, frame: ClientFrame): Promise<Record<string, unknown>> {
    return new Promise(resolve => {
      this.#replied[client] = resolve
      this.#send(client, frame)
    })
  }

  #send(client: number, frame: ClientFrame): void {
    this.#sockets[client]?.send(this.#target.codec === 'msgpack' ? pack(frame) : JSON.stringify(frame))
  }
}

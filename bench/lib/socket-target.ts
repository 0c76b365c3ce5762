import { setTimeout as sleep } from 'node:timers/promises'
import { ackDelay, defaultAck } from '../../shared/client/acknowledgements.js'
import type { ClientFrame } from '../../shared/wire/frames.js'
import type { Account, Missed, Returned, Target } from './load-protocol.js'
import { LoadTarget, registration } from './load-target.js'
import { RawSocket } from './raw-socket.js'
import { percentile } from './statistics.js'

// Interval in ms of the check for due acknowledgements.
const ackTickMs = 25
// In ms; no registration takes so long, even on a busy machine, and no return of all clients.
const stallMs = 20_000
const patienceMs = 60_000

/** Readers with a socket each. */
export class SocketTarget extends LoadTarget {
  private readonly sockets: (RawSocket | undefined)[] = []
  private readonly queueIds: string[] = []
  private readonly acknowledged: Float64Array
  /** When each socket acknowledges next, and how many events are unacknowledged, with the rules of shared/client. */
  private readonly ackAt: Float64Array
  private readonly unacknowledged: Int32Array
  private readonly replied: ((body: Record<string, unknown>) => void)[] = []

  constructor(target: Target) {
    super(target)
    const { length } = target.accounts
    this.acknowledged = new Float64Array(length).fill(-1)
    this.ackAt = new Float64Array(length).fill(Number.POSITIVE_INFINITY)
    this.unacknowledged = new Int32Array(length)
    if (!target.isFloor) setInterval(() => this.acknowledgeDue(), ackTickMs)
  }

  settle(): void {
    for (let queue = 0; queue < this.sockets.length; queue++) this.acknowledge(queue)
  }

  /** Closes the sockets; those to a dead server are closed already. */
  leave(): void {
    for (const socket of this.sockets) socket?.end()
    this.sockets.fill(undefined)
  }

  /** All clients connect again and attach to their queues, until each has the missed events. */
  async comeBack({ first, count, together }: Missed): Promise<Returned> {
    this.receivers.expect(first, count)
    const begun = performance.now()
    const events = Promise.all(Array.from({ length: count }, (_, i) => this.receivers.sent(first + i)))
    const late = sleep(patienceMs, 'late' as const, { ref: false })
    const attached = this.forAll(together, async (account, queue) => {
      await this.connect(account, queue)
      const last_event_id = this.receivers.lastIds[queue] as number
      await this.ask(queue, { op: 'attach', id: 1, queue_id: this.queueIds[queue] as string, last_event_id })
    })
    if ((await Promise.race([Promise.all([attached, events]), late])) === 'late') {
      throw new Error(`not all clients came back: ${this.receivers.missing}`)
    }
    const { latencies } = this.receivers
    const [p50, p99] = [percentile(latencies, 0.5), percentile(latencies, 0.99)]
    return { elapsedMs: performance.now() - begun, p50, p99 }
  }

  protected async openOne(account: Account, queue: number): Promise<void> {
    await this.connect(account, queue)
    if (this.target.isFloor) return
    const late = setTimeout(() => {
      throw new Error(`${this.target.name}: socket ${queue} has no answer to register`)
    }, stallMs)
    const { queue_id, last_event_id } = await this.ask(queue, { op: 'register', id: 1, params: registration })
    clearTimeout(late)
    this.queueIds[queue] = queue_id as string
    this.receivers.lastIds[queue] = last_event_id as number
    this.acknowledged[queue] = last_event_id as number
  }

  private async connect(account: Account, queue: number): Promise<void> {
    const { name, port, mayEnd } = this.target
    const socket = new RawSocket({
      port,
      account,
      onFrame: payload => this.received(queue, payload),
      onEnd: reason => {
        if (!mayEnd) throw new Error(`socket ${queue} of ${name}: ${reason}`)
        if (this.sockets[queue] === socket) this.sockets[queue] = undefined
      },
    })
    this.sockets[queue] = socket
    await socket.opened
  }

  private ask(queue: number, frame: ClientFrame): Promise<Record<string, unknown>> {
    return new Promise(resolve => {
      this.replied[queue] = resolve
      this.sockets[queue]?.send(frame)
    })
  }

  private received(queue: number, payload: Buffer): void {
    const { reply, isHeartbeat } = this.read(queue, payload)
    if (reply && reply.status !== 200) throw new Error(`socket ${queue} was answered ${JSON.stringify(reply.body)}`)
    if (reply) {
      this.replied[queue]?.(reply.body)
      return
    }
    this.handled(queue, isHeartbeat)
  }

  private read(queue: number, payload: Buffer) {
    try {
      return this.receivers.received(queue, payload)
    } catch (error) {
      throw new Error(`${this.target.name}: ${(error as Error).message}`)
    }
  }

  /** Acknowledges a heartbeat at once, as shared/client does. */
  private handled(queue: number, isHeartbeat: boolean): void {
    const count = (this.unacknowledged[queue] as number) + 1
    this.unacknowledged[queue] = count
    if (count >= defaultAck.events || isHeartbeat) this.acknowledge(queue)
    else if (count === 1) this.ackAt[queue] = performance.now() + ackDelay(this.target.ackMs)
  }

  private acknowledgeDue(): void {
    const now = performance.now()
    const at = this.ackAt
    for (let queue = 0; queue < at.length; queue++) if ((at[queue] as number) <= now) this.acknowledge(queue)
  }

  private acknowledge(queue: number): void {
    this.ackAt[queue] = Number.POSITIVE_INFINITY
    this.unacknowledged[queue] = 0
    const last = this.receivers.lastIds[queue] as number
    if (this.target.isFloor || last <= (this.acknowledged[queue] as number)) return
    this.acknowledged[queue] = last
    this.sockets[queue]?.send({ op: 'ack', last_event_id: last })
  }
}

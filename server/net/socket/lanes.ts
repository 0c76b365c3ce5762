import type { ClientFrame } from '../../../shared/wire/frames.js'

// What one client may have under way at once, so that it cannot take the worker for itself.
const maxRunning = 64
// More than a client that waits for replies ever has; together they keep what a socket may cost within bounds.
const maxWaiting = 1024

interface Waiting {
  readonly frame: ClientFrame
  readonly bytes: number
}

/**
 * The order of one socket's frames. Requests run side by side, up to a limit; all others (auth, register, attach, ack,
 * detach) change what the socket is attached to and run one after the other. What cannot start waits.
 */
export class Lanes {
  private running = 0
  private isBusy = false
  private waitingBytes = 0
  private readonly requests: Waiting[] = []
  private readonly changes: Waiting[] = []

  constructor(
    private readonly owner: {
      /** Must not reject. Undefined: done at once. */
      handle(frame: ClientFrame, bytes: number): Promise<void> | undefined
      /** Whether the client reads what it is sent. */
      mayStart(): boolean
      idle(): void
    },
    private readonly maxWaitingBytes: number,
  ) {}

  get isIdle(): boolean {
    return this.running === 0 && !this.isBusy
  }

  /** False: too much waits already. */
  take(frame: ClientFrame, bytes: number): boolean {
    const isRequest = frame.op === 'request'
    if (isRequest ? this.canRequest() : this.canChange()) {
      this.start(frame, bytes)
      return true
    }
    const lane = isRequest ? this.requests : this.changes
    this.waitingBytes += bytes
    return lane.push({ frame, bytes }) <= maxWaiting && this.waitingBytes <= this.maxWaitingBytes
  }

  /** Starts what can start. */
  pump(): void {
    while (this.changes.length > 0 && this.canChange()) this.startFirst(this.changes)
    while (this.requests.length > 0 && this.canRequest()) this.startFirst(this.requests)
  }

  clear(): void {
    this.requests.length = 0
    this.changes.length = 0
  }

  private canRequest(): boolean {
    return this.running < maxRunning && this.owner.mayStart()
  }

  private canChange(): boolean {
    return !this.isBusy
  }

  private startFirst(lane: Waiting[]): void {
    const first = lane.shift() as Waiting
    this.waitingBytes -= first.bytes
    this.start(first.frame, first.bytes)
  }

  private start(frame: ClientFrame, bytes: number): void {
    const work = this.owner.handle(frame, bytes)
    if (!work) return
    if (frame.op === 'request') void this.request(work)
    else void this.change(work)
  }

  private async request(work: Promise<void>): Promise<void> {
    this.running++
    await work
    this.running--
    this.ended()
  }

  private async change(work: Promise<void>): Promise<void> {
    this.isBusy = true
    await work
    this.isBusy = false
    this.ended()
  }

  private ended(): void {
    this.pump()
    if (this.isIdle) this.owner.idle()
  }
}

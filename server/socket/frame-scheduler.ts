import type { ClientFrame } from '../../shared/wire/frames.js'

// Requests of one client that run at once, so that one client cannot occupy the worker.
const maxRunning = 64
// Waiting requests, and as many waiting other frames: more than a client that waits for replies ever has. Bounds the memory of a socket.
const maxWaiting = 1024

interface Waiting {
  readonly frame: ClientFrame
  readonly bytes: number
}

/**
 * The order of one socket's frames. Requests run concurrently, up to a limit; all other frames (auth, register, attach, ack, detach) change
 * the socket's attachment and run one after the other. Frames that cannot start wait.
 */
export class FrameScheduler {
  private running = 0
  private isBusy = false
  private waitingBytes = 0
  private readonly requests: Waiting[] = []
  private readonly changes: Waiting[] = []

  constructor(
    private readonly owner: {
      /** Must not reject. Undefined: done synchronously. */
      handle(frame: ClientFrame, bytes: number): Promise<void> | undefined
      /** False while the client reads too slowly. */
      mayStart(): boolean
      idle(): void
    },
    private readonly maxWaitingBytes: number,
  ) {}

  get isIdle(): boolean {
    return this.running === 0 && !this.isBusy
  }

  /** False: too many frames are waiting. */
  take(frame: ClientFrame, bytes: number): boolean {
    const isRequest = frame.op === 'request'
    if (isRequest ? this.canRequest() : this.canChange()) {
      this.start(frame, bytes)
      return true
    }
    const line = isRequest ? this.requests : this.changes
    this.waitingBytes += bytes
    return line.push({ frame, bytes }) <= maxWaiting && this.waitingBytes <= this.maxWaitingBytes
  }

  /** Starts the waiting frames that may start. */
  startWaiting(): void {
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

  private startFirst(line: Waiting[]): void {
    const first = line.shift() as Waiting
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
    this.startWaiting()
    if (this.isIdle) this.owner.idle()
  }
}

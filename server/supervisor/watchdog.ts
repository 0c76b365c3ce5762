import { Silence } from '../monitor/silence.js'
import { typeOf, type Worker } from './worker-process.js'

const checkIntervalMs = 1000

/** Detects workers whose event loop hangs: while the loop runs, a worker sends a message once a second. */
export class Watchdog {
  private readonly silences = new Map<Worker, Silence>()
  private readonly timer = setInterval(() => this.check(), checkIntervalMs).unref()

  /** `onHang` is called once for a worker that has sent no message for `hangMs`. */
  constructor(
    private readonly hangMs: number,
    private readonly onHang: (worker: Worker, silentMs: number) => void,
  ) {}

  /** Watches a worker from when it listens until it ends; its start may block the event loop for long. */
  watch(worker: Worker): void {
    worker.process.on('message', message => {
      if (typeOf(message) === 'listening') this.silences.set(worker, new Silence(checkIntervalMs))
      if (typeOf(message) === 'alive') this.silences.get(worker)?.answered()
    })
    void worker.exited.then(() => this.silences.delete(worker))
  }

  stop(): void {
    clearInterval(this.timer)
  }

  private check(): void {
    for (const [worker, silence] of this.silences) {
      silence.check()
      if (silence.ms < this.hangMs) continue
      this.silences.delete(worker)
      this.onHang(worker, silence.ms)
    }
  }
}

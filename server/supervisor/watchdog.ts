import { Silence } from '../monitor/silence.js'
import { typeOf, type Worker } from './worker-process.js'

const lookMs = 1000

/** Detects workers whose event loop hangs: while the loop runs, a worker sends a message once a second. */
export class Watchdog {
  readonly #hangMs: number
  readonly #found: (worker: Worker, silentMs: number) => void
  readonly #silences = new Map<Worker, Silence>()
  readonly #timer = setInterval(() => this.#look(), lookMs).unref()

  /** `found` is called once for a worker that has sent no message for `hangMs`. */
  constructor(hangMs: number, found: (worker: Worker, silentMs: number) => void) {
    this.#hangMs = hangMs
    this.#found = found
  }

  /** Watches a worker from when it listens until it ends; its start may block the event loop for long. */
  watch(worker: Worker): void {
    worker.process.on('message', message => {
      if (typeOf(message) === 'listening') this.#silences.set(worker, new Silence(lookMs))
      if (typeOf(message) === 'alive') this.#silences.get(worker)?.answered()
    })
    void worker.exited.then(() => this.#silences.delete(worker))
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    for (const [worker, silence] of this.#silences) {
      silence.look()
      if (silence.ms < this.#hangMs) continue
      this.#silences.delete(worker)
      this.#found(worker, silence.ms)
    }
  }
}

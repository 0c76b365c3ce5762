import { memoryBelow } from '../lib/memory.js'

/** Samples the memory of a server's processes every second. */
export class ServerMemory {
  /** Bytes of the largest worker, without file pages that other programs share. */
  mostOfWorker = 0
  /** Bytes of all processes: supervisor, workers, their decoders of pictures, PostgreSQL and Redis. */
  mostOfAll = 0
  readonly #seen = new Set<number>()
  readonly #first: number
  readonly #timer: NodeJS.Timeout

  constructor(private readonly root: number) {
    this.#look()
    this.#first = this.#seen.size
    this.#timer = setInterval(() => this.#look(), 1000)
  }

  /** Number of workers that replaced others. */
  get ended(): number {
    return this.#seen.size - this.#first
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    let all = 0
    for (const { pid, role, bytes, proportional } of memoryBelow(this.root)) {
      all += proportional
      if (role !== 'worker') continue
      this.#seen.add(pid)
      this.mostOfWorker = Math.max(this.mostOfWorker, bytes)
    }
    this.mostOfAll = Math.max(this.mostOfAll, all)
  }
}

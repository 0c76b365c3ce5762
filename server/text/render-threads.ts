import { Worker } from 'node:worker_threads'
import { budgets } from '../config/budgets.js'
import type { Log } from '../log.js'
import type { PlacedPart } from './slow-parts.js'

// An idle thread takes memory; a new one needs a third of a second of a core until it is ready.
const idleMs = 300_000
// More than all grammars and the longest formula need.
const resourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32 }

type Results = readonly (string | null)[]

interface Job {
  readonly parts: readonly PlacedPart[]
  /** Only the first call counts. */
  finish(results: Results): void
}

/**
 * Threads that render formulas and code, so that other requests do not wait for them. They start when a message needs them
 * and end when none has needed them for a while.
 */
export class RenderThreads {
  private readonly waiting: Job[] = []
  private readonly busy = new Map<Worker, Job>()
  private readonly idle: Worker[] = []
  private idleTimer: NodeJS.Timeout | undefined

  constructor(private readonly log: Log) {}

  /** The HTML of each part; null, or nothing, where the plain form has to do. Never fails: a message is worth more than its colours. */
  render(parts: readonly PlacedPart[]): Promise<Results> {
    if (this.waiting.length >= budgets.renderQueue.most) {
      this.log.warn('formulas and code of a message stay plain: too many messages wait for a thread')
      return Promise.resolve([])
    }
    return new Promise(resolve => {
      const timer = setTimeout(() => this.giveUp(job), budgets.renderWaitMs.most)
      const job: Job = {
        parts,
        finish(results) {
          clearTimeout(timer)
          resolve(results)
        },
      }
      this.waiting.push(job)
      this.pump()
    })
  }

  /** Ends all threads; the messages that wait are shown plain. */
  async stop(): Promise<void> {
    clearTimeout(this.idleTimer)
    for (const job of this.waiting.splice(0)) job.finish([])
    await Promise.all([...this.busy.keys(), ...this.idle].map(thread => thread.terminate()))
  }

  private pump(): void {
    while (this.waiting.length > 0) {
      const thread = this.idle.pop() ?? (this.busy.size < budgets.renderThreads.most ? this.start() : undefined)
      if (!thread) return
      const job = this.waiting.shift() as Job
      this.busy.set(thread, job)
      thread.postMessage(job.parts.map(({ part }) => part))
    }
  }

  private start(): Worker {
    const thread = new Worker(new URL('./render-thread.js', import.meta.url), { resourceLimits, execArgv: [] })
    thread.on('message', (results: Results) => {
      this.release(thread, results)
      this.idle.push(thread)
      this.pump()
      this.idleTimer ??= setTimeout(() => this.endIdle(), idleMs).unref()
      this.idleTimer.refresh()
    })
    thread.on('error', error => this.log.warn(error, 'a thread that renders formulas and code failed'))
    thread.on('exit', () => {
      this.release(thread, [])
      const index = this.idle.indexOf(thread)
      if (index >= 0) this.idle.splice(index, 1)
      this.pump()
    })
    // The process may end although the thread waits for work.
    thread.unref()
    return thread
  }

  private release(thread: Worker, results: Results): void {
    this.busy.get(thread)?.finish(results)
    this.busy.delete(thread)
  }

  /** A thread that hangs is ended, and another one starts for the next message. */
  private giveUp(job: Job): void {
    this.log.warn('formulas and code of a message stay plain: they took too long')
    job.finish([])
    const index = this.waiting.indexOf(job)
    if (index >= 0) this.waiting.splice(index, 1)
    for (const [thread, running] of this.busy) if (running === job) void thread.terminate()
  }

  private endIdle(): void {
    for (const thread of this.idle.splice(0)) void thread.terminate()
  }
}

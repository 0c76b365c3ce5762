import { Worker } from 'node:worker_threads'
import { budgets } from '../../config/budgets.js'
import type { Log } from '../../log.js'
import type { Rendered } from '../markdown.js'
import type { Names } from '../names.js'
import type { PlacedPart } from '../slow-parts.js'
import { type Job, noThread, partsJob, textJob } from './render-jobs.js'
import type { FromThread, LinkifierSource } from './thread-messages.js'

// An idle thread takes memory; a new one needs a third of a second of a core until it is ready.
const idleMs = 300_000
// More than all grammars and the longest formula need.
const resourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32 }

/** A job, and the timer that gives it up. */
interface Timed {
  readonly job: Job
  readonly timer: NodeJS.Timeout
}

/**
 * Threads that render long texts, formulas and code, so that other requests do not wait for them. They start when a message needs them
 * and end when none has needed them for a while.
 */
export class RenderThreads {
  private readonly waiting: Timed[] = []
  private readonly busy = new Map<Worker, Timed>()
  private readonly idle: Worker[] = []
  private readonly known = new WeakMap<Worker, readonly LinkifierSource[]>()
  private idleTimer: NodeJS.Timeout | undefined

  /** `waits`: how long formulas and code, and whole texts, wait for a thread, and then again for its work. */
  constructor(
    private readonly log: Log,
    private readonly waits = { partsMs: budgets.renderWaitMs.most, textMs: budgets.textWaitMs.most },
  ) {}

  /** The HTML of each part; null, or nothing, where the plain form has to do. Never fails: a message is worth more than its colours. */
  render(parts: readonly PlacedPart[]): Promise<readonly (string | null)[]> {
    if (this.waiting.length >= budgets.renderQueue.most) {
      this.log.warn('formulas and code of a message stay plain: too many messages wait for a thread')
      return Promise.resolve([])
    }
    return new Promise(resolve => {
      const job = partsJob(
        parts.map(({ part }) => part),
        resolve,
      )
      this.add(job, this.waits.partsMs)
    })
  }

  /**
   * A message whose text `beginQuickRendering` leaves to a thread. The worker answers the lookups of names.
   * @throws {ApiError} SERVER_NOT_READY if too many texts wait, or no thread has time for this one.
   */
  renderText(content: string, names: Names, linkifiers: readonly LinkifierSource[]): Promise<Rendered> {
    if (this.waiting.length >= budgets.textQueue.most) return Promise.reject(noThread())
    return new Promise((resolve, reject) => {
      this.add(textJob(content, names, linkifiers, { resolve, reject }), this.waits.textMs)
    })
  }

  /** Ends all threads; the messages that wait are shown plain, or refused. */
  async stop(): Promise<void> {
    clearTimeout(this.idleTimer)
    for (const { job, timer } of [...this.waiting.splice(0), ...this.busy.values()]) {
      clearTimeout(timer)
      job.fail('no time')
    }
    await Promise.all([...this.busy.keys(), ...this.idle].map(thread => thread.terminate()))
  }

  private add(job: Job, waitMs: number): void {
    const timed: Timed = { job, timer: setTimeout(() => this.giveUp(timed), waitMs) }
    this.waiting.push(timed)
    this.pump()
  }

  private pump(): void {
    while (this.waiting.length > 0) {
      const thread = this.idle.pop() ?? (this.busy.size < budgets.renderThreads.most ? this.start() : undefined)
      if (!thread) return
      const next = this.waiting.shift() as Timed
      next.timer.refresh()
      this.busy.set(thread, next)
      thread.postMessage(next.job.begin(this.known.get(thread)))
      if (next.job.linkifiers) this.known.set(thread, next.job.linkifiers)
    }
  }

  private start(): Worker {
    const thread = new Worker(new URL('./render-thread.js', import.meta.url), { resourceLimits, execArgv: [] })
    thread.on('message', (reply: FromThread) => this.receive(thread, reply))
    thread.on('error', error => this.log.warn(error, 'a thread that renders messages failed'))
    thread.on('exit', () => {
      this.release(thread)?.fail('thread ended')
      const index = this.idle.indexOf(thread)
      if (index >= 0) this.idle.splice(index, 1)
      this.pump()
    })
    // The process may end although the thread waits for work.
    thread.unref()
    return thread
  }

  private receive(thread: Worker, reply: FromThread): void {
    const next = this.busy.get(thread)?.job.handle(reply)
    if (next) {
      thread.postMessage(next)
      return
    }
    this.release(thread)
    this.idle.push(thread)
    this.pump()
    this.idleTimer ??= setTimeout(() => this.endIdle(), idleMs).unref()
    this.idleTimer.refresh()
  }

  private release(thread: Worker): Job | undefined {
    const timed = this.busy.get(thread)
    if (!timed) return undefined
    clearTimeout(timed.timer)
    this.busy.delete(thread)
    return timed.job
  }

  /** A thread that hangs is ended, and another one starts for the next message. */
  private giveUp(late: Timed): void {
    this.log.warn('a message was not rendered in time: its formulas and code stay plain, or it is refused')
    late.job.fail('no time')
    const index = this.waiting.indexOf(late)
    if (index >= 0) this.waiting.splice(index, 1)
    for (const [thread, running] of this.busy) if (running === late) void thread.terminate()
  }

  private endIdle(): void {
    for (const thread of this.idle.splice(0)) void thread.terminate()
  }
}

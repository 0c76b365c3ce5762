import { setTimeout as sleep } from 'node:timers/promises'
import { logFailure } from '../../failures/log-failure.js'
import type { EngineDeps } from '../engine-deps.js'
import { Signal } from '../signal.js'

interface Recall {
  /** The number of workers that were asked; undefined: Redis has not answered yet. */
  asked?: number
  /** The workers that have given up their leases. */
  readonly answered: Set<string>
  readonly done: (isComplete: boolean) => void
}

/** The messages by which workers give up their directory leases (docs/architecture.md "Reading"). */
export class DirectoryRecall {
  readonly #deps: EngineDeps
  readonly #running = new Map<number, Recall>()
  #count = 0
  /** Another worker is about to commit a change: emitted before that worker gets its answer. */
  readonly received = new Signal()

  constructor(deps: EngineDeps) {
    this.#deps = deps
  }

  /** Asks all other workers. Resolves true as soon as all have answered, and false if one has not within `waitMs`. Does not reject. */
  async recall(waitMs: number): Promise<boolean> {
    const id = ++this.#count
    const waiting = new AbortController()
    const answers = new Promise<boolean>(done => {
      this.#running.set(id, { answered: new Set(), done })
    })
    this.#ask(id).catch(error =>
      logFailure(this.#deps, error, 'the directory leases of other workers could not be recalled'),
    )
    // Only the end of the wait aborts it.
    const isLate = sleep(waitMs, false, { signal: waiting.signal }).catch(() => false)
    try {
      return await Promise.race([answers, isLate])
    } finally {
      waiting.abort()
      this.#running.delete(id)
    }
  }

  async #ask(id: number): Promise<void> {
    const { functions, keys, worker } = this.#deps
    const message = JSON.stringify({ recall: [worker, id] })
    const asked = await functions.call('recall', [keys.run, keys.checkpoints], [worker, keys.channel(''), message])
    const recall = this.#running.get(id)
    if (!recall || asked === -1) return
    recall.asked = asked as number
    this.#check(recall)
  }

  /** Another worker asks. */
  async give([asker, id]: readonly [asker: string, id: number]): Promise<void> {
    this.received.emit()
    const { redis, keys, worker } = this.#deps
    await redis.command('PUBLISH', keys.channel(asker), JSON.stringify({ recalled: [worker, id] }))
  }

  /** Another worker has given up its lease. */
  answered([worker, id]: readonly [worker: string, id: number]): void {
    const recall = this.#running.get(id)
    if (!recall) return
    recall.answered.add(worker)
    this.#check(recall)
  }

  #check(recall: Recall): void {
    if (recall.asked !== undefined && recall.answered.size >= recall.asked) recall.done(true)
  }
}

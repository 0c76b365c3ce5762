import { logFailure } from '../../failures/log-failure.js'
import type { EngineDeps } from '../engine-deps.js'
import type { Queue } from './queue.js'
import { ofUser, type Queues } from './queues.js'

// The whole set is written again at this interval, in case Redis has lost it, and expires if its worker is gone.
const renewMs = 60_000
const secondsToLive = 600
// Members of one command.
const usersTogether = 1000

/** Whether the queue counts as a client that receives messages. */
export const receives = ({ state, options }: Queue): boolean =>
  state !== 'gone' && (options.eventTypes === null || options.eventTypes.has('message'))

/**
 * The users with a queue at this worker that receives messages, as a set in Redis: by these sets any worker finds out who looks at no client.
 * A user is added with the queue; a user whose queues other workers have taken over is removed a moment later than they are added there.
 */
export class Receivers {
  /** What the set in Redis holds. */
  private readonly stored = new Set<number>()
  /** Users without a queue at the last pass. */
  private leaving = new Set<number>()
  private renewAt = Number.NEGATIVE_INFINITY

  constructor(
    private readonly deps: Pick<EngineDeps, 'redis' | 'keys' | 'worker' | 'clock' | 'log'>,
    private readonly queues: Queues,
  ) {}

  /** Adds the user of a queue before the queue is stored. */
  async joins(queue: Queue): Promise<void> {
    if (!receives(queue) || this.stored.has(queue.userId)) return
    this.stored.add(queue.userId)
    await this.deps.redis.command('SADD', this.key, queue.userId)
  }

  /** Removes a user whose last queue has ended. */
  left(userId: number): void {
    if (!this.stored.has(userId) || ofUser(this.queues.firstOf(userId)).some(receives)) return
    this.stored.delete(userId)
    this.run(this.deps.redis.command('SREM', this.key, userId))
  }

  /** Adds users of queues that came from other workers, and removes those who had no queue at the last pass either. */
  pass(): void {
    const present = new Set<number>()
    for (const queue of this.queues.byId.values()) if (receives(queue)) present.add(queue.userId)
    const gone = [...this.stored].filter(id => !present.has(id))
    for (const id of gone) if (this.leaving.has(id)) this.stored.delete(id)
    const joined = [...present].filter(id => !this.stored.has(id))
    for (const id of joined) this.stored.add(id)
    const removed = gone.filter(id => this.leaving.has(id))
    this.leaving = new Set(gone)
    const now = this.deps.clock.now()
    if (now >= this.renewAt) {
      this.renewAt = now + renewMs
      this.run(this.renew())
    } else {
      if (joined.length > 0) this.run(this.change('SADD', this.key, joined))
      if (removed.length > 0) this.run(this.change('SREM', this.key, removed))
    }
  }

  private async renew(): Promise<void> {
    const { redis, keys, worker } = this.deps
    const next = keys.nextReceiversOf(worker)
    if (this.stored.size === 0) return void (await redis.command('DEL', this.key))
    await Promise.all([
      redis.command('DEL', next),
      this.change('SADD', next, [...this.stored]),
      redis.command('EXPIRE', next, secondsToLive),
      redis.command('RENAME', next, this.key),
    ])
  }

  private async change(name: 'SADD' | 'SREM', key: string, userIds: readonly number[]): Promise<void> {
    const chunks = Array.from({ length: Math.ceil(userIds.length / usersTogether) }, (_, i) =>
      userIds.slice(i * usersTogether, (i + 1) * usersTogether),
    )
    await Promise.all(chunks.map(chunk => this.deps.redis.command(name, key, ...chunk)))
  }

  private get key(): string {
    return this.deps.keys.receiversOf(this.deps.worker)
  }

  /** A failure is mended by the next renewal. */
  private run(work: Promise<unknown>): void {
    work.catch(error => {
      this.renewAt = Number.NEGATIVE_INFINITY
      logFailure(this.deps, error, 'the users with queues were not stored')
    })
  }
}

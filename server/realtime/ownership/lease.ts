import { createHash, randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { version } from '../../config/version.js'
import type { RedisClient } from '../../redis/client.js'
import type { Keys } from '../../redis/keys.js'
import type { EngineDeps } from '../engine-deps.js'

// Value of the lease of a worker that stopped in an orderly way: other workers may adopt its queues at once. That of one that runs is its version.
const left = 'left'

/** A worker id names the machine and the process, so that another worker of the machine can check whether the process exists. */
export function newWorkerId(): string {
  return `${machineId()}:${process.pid}:${randomUUID().slice(0, 8)}`
}

/** Differs between machines and between containers, because each container numbers its processes separately. */
function machineId(): string {
  const facts = [
    () => hostname(),
    () => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'),
    () => readlinkSync('/proc/self/ns/pid'),
  ]
  const known = facts.map(fact => {
    try {
      return fact()
    } catch {
      return ''
    }
  })
  return createHash('sha256').update(known.join()).digest('hex').slice(0, 12)
}

/** True only if the worker ran on this machine and its process does not exist. */
function hasEnded(worker: string): boolean {
  const [machine, pid] = worker.split(':')
  if (machine !== machineId()) return false
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    return (error as { code?: string }).code === 'ESRCH'
  }
}

/** The workers that are alive, each with the version of its program. */
export async function livingWorkers(redis: RedisClient, keys: Keys): Promise<Map<string, string>> {
  const living = new Map<string, string>()
  const workers = (await redis.command('HKEYS', keys.checkpoints)) as Buffer[]
  for (const worker of workers.map(String)) {
    const lease = await redis.command('GET', keys.lease(worker))
    if (lease !== null && String(lease) !== left && !hasEnded(worker)) living.set(worker, String(lease))
  }
  return living
}

/** This worker's lease, the leases of the other workers, and locks for tasks that one worker at a time does. */
export class Lease {
  /** Workers without a lease, and since when (ms) this worker has found none. */
  private readonly missing = new Map<string, number>()
  /** When this worker sent the last command that took or renewed the lease, in ms. */
  private heldAt = Number.POSITIVE_INFINITY
  private lapsedAt = Number.NEGATIVE_INFINITY

  constructor(private readonly deps: EngineDeps) {}

  /** Takes the lease, before the worker owns a queue. */
  async take(checkpoint: number): Promise<void> {
    const { redis, keys, worker, clock, timing } = this.deps
    const takenAt = clock.now()
    await redis.command('HSET', keys.checkpoints, worker, checkpoint)
    await redis.command('SET', keys.lease(worker), version, 'PX', timing.leaseMs)
    this.heldAt = takenAt
  }

  /** Renews the lease. False: it had expired, and other workers may have adopted this worker's queues. */
  async renew(checkpoint: number): Promise<boolean> {
    const { redis, keys, worker, clock, timing, counts } = this.deps
    const renewedAt = clock.now()
    const sentAt = performance.now()
    const isHeld = await redis.command('SET', keys.lease(worker), version, 'PX', timing.leaseMs, 'XX')
    counts.redisAnsweredAt = performance.now()
    counts.redis.observe((counts.redisAnsweredAt - sentAt) / 1000)
    counts.isRedisFailing = false
    redis.outage.answered()
    if (isHeld !== null) {
      this.heldAt = renewedAt
      return true
    }
    if (this.hasLapsed()) this.lapsedAt = clock.now()
    await this.take(checkpoint)
    return false
  }

  /**
   * Whether the lease expired recently because this process, Redis or the network paused for longer than the lease lasts. If not,
   * Redis has lost a lease that is missing.
   */
  hasLapsed(): boolean {
    const { clock, timing } = this.deps
    const now = clock.now()
    return now - this.heldAt >= timing.leaseMs || now - this.lapsedAt < timing.leaseMs
  }

  /**
   * Whether other workers find this worker in the list of workers for `forMs` ms. If Redis loses the list, no recall relies on it until
   * `publishHoldMs` have passed, so the lease must have been confirmed within this time.
   */
  isConfirmed(forMs: number): boolean {
    const { clock, timing } = this.deps
    return clock.now() - this.heldAt + forMs <= timing.publishHoldMs
  }

  async leave(): Promise<void> {
    const { redis, keys, worker } = this.deps
    this.heldAt = Number.NEGATIVE_INFINITY
    await redis.command('SET', keys.lease(worker), left)
  }

  async others(): Promise<string[]> {
    const { redis, keys, worker } = this.deps
    const workers = (await redis.command('HKEYS', keys.checkpoints)) as Buffer[]
    return workers.map(String).filter(other => other !== worker)
  }

  /** Whether no other worker is alive. */
  async isAlone(): Promise<boolean> {
    const { redis, keys, worker } = this.deps
    return [...(await livingWorkers(redis, keys)).keys()].every(other => other === worker)
  }

  /** Ids of workers that are dead: their process has ended, they have left, or their lease has been missing for `adoptAfterMs` ms. */
  async dead(): Promise<string[]> {
    const { redis, keys, clock, timing } = this.deps
    const dead: string[] = []
    const others = await this.others()
    for (const other of others) {
      const lease = await redis.command('GET', keys.lease(other))
      if (lease === null) {
        const since = this.missing.get(other) ?? clock.now()
        this.missing.set(other, since)
        if (clock.now() - since >= timing.adoptAfterMs || hasEnded(other)) dead.push(other)
      } else {
        this.missing.delete(other)
        if (String(lease) === left || hasEnded(other)) dead.push(other)
      }
    }
    for (const known of this.missing.keys()) if (!others.includes(known)) this.missing.delete(known)
    return dead
  }

  /** Deletes the keys of a dead worker, after its queues have been adopted. */
  async bury(worker: string): Promise<void> {
    const { redis, keys } = this.deps
    await redis.command('DEL', keys.queuesOf(worker))
    await redis.command('DEL', keys.lease(worker))
    await redis.command('HDEL', keys.checkpoints, worker)
    this.missing.delete(worker)
  }

  /** Acquires or extends the lock of a task that one worker at a time does; false if another worker holds it. */
  async hold(task: string, milliseconds: number): Promise<boolean> {
    const { redis, keys, worker } = this.deps
    const key = keys.lock(task)
    if ((await redis.command('SET', key, worker, 'PX', milliseconds, 'NX')) !== null) return true
    if (String(await redis.command('GET', key)) !== worker) return false
    await redis.command('PEXPIRE', key, milliseconds)
    return true
  }

  async release(task: string): Promise<void> {
    const { redis, keys, worker } = this.deps
    if (String(await redis.command('GET', keys.lock(task))) === worker) await redis.command('DEL', keys.lock(task))
  }
}

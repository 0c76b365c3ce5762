import { createHash, randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import type { Parts } from './parts.js'

// Value of a lease whose worker stopped in good order: its queues may be adopted at once.
const left = 'left'

/** Worker ids tell whether a worker runs on this machine, and in which process. */
export function newWorkerId(): string {
  return `${machineId()}:${process.pid}:${randomUUID().slice(0, 8)}`
}

/** Tells machines apart, and containers: the same process number means another process in another container. */
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

/** True only when its process is gone for sure. */
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

/** That this worker lives, and who else does. */
export class Lease {
  readonly #parts: Parts
  /** Workers whose lease we have not found, and since when. */
  readonly #missing = new Map<string, number>()
  /** When the command was sent that took or renewed it last. */
  #heldAt = Number.POSITIVE_INFINITY
  #lapsedAt = Number.NEGATIVE_INFINITY

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Before the worker owns anything. */
  async take(checkpoint: number): Promise<void> {
    const { redis, keys, worker, clock, timing } = this.#parts
    this.#heldAt = clock.now()
    await redis.command('HSET', keys.checkpoints, worker, checkpoint)
    await redis.command('SET', keys.lease(worker), 'lives', 'PX', timing.leaseLife)
  }

  /** False: it had run out, and others may have taken our queues. */
  async renew(checkpoint: number): Promise<boolean> {
    const { redis, keys, worker, clock, timing, counts } = this.#parts
    const renewedAt = clock.now()
    const sentAt = performance.now()
    const isHeld = await redis.command('SET', keys.lease(worker), 'lives', 'PX', timing.leaseLife, 'XX')
    counts.redisHeardAt = performance.now()
    counts.redis.observe((counts.redisHeardAt - sentAt) / 1000)
    counts.isRedisFailing = false
    redis.outage.answered()
    if (isHeld !== null) {
      this.#heldAt = renewedAt
      return true
    }
    if (this.hasLapsed()) this.#lapsedAt = clock.now()
    await this.take(checkpoint)
    return false
  }

  /**
   * Whether the lease ran out by itself a moment ago: this process, Redis or the network between them paused for longer than it
   * lives. Otherwise a lease that is missing was lost by Redis.
   */
  hasLapsed(): boolean {
    const { clock, timing } = this.#parts
    const now = clock.now()
    return now - this.#heldAt >= timing.leaseLife || now - this.#lapsedAt < timing.leaseLife
  }

  async leave(): Promise<void> {
    const { redis, keys, worker } = this.#parts
    await redis.command('SET', keys.lease(worker), left)
  }

  async others(): Promise<string[]> {
    const { redis, keys, worker } = this.#parts
    const workers = (await redis.command('HKEYS', keys.checkpoints)) as Buffer[]
    return workers.map(String).filter(other => other !== worker)
  }

  /** Whether some other worker lives. */
  async isAlone(): Promise<boolean> {
    const { redis, keys } = this.#parts
    for (const other of await this.others()) {
      const lease = await redis.command('GET', keys.lease(other))
      if (lease !== null && String(lease) !== left && !hasEnded(other)) return false
    }
    return true
  }

  /** Workers that are gone for good. */
  async dead(): Promise<string[]> {
    const { redis, keys, clock, timing } = this.#parts
    const dead: string[] = []
    const others = await this.others()
    for (const other of others) {
      const lease = await redis.command('GET', keys.lease(other))
      if (lease === null) {
        const since = this.#missing.get(other) ?? clock.now()
        this.#missing.set(other, since)
        if (clock.now() - since >= timing.adoptAfter || hasEnded(other)) dead.push(other)
      } else {
        this.#missing.delete(other)
        if (String(lease) === left || hasEnded(other)) dead.push(other)
      }
    }
    for (const known of this.#missing.keys()) if (!others.includes(known)) this.#missing.delete(known)
    return dead
  }

  /** After its queues have been adopted. */
  async bury(worker: string): Promise<void> {
    const { redis, keys } = this.#parts
    await redis.command('DEL', keys.queuesOf(worker))
    await redis.command('DEL', keys.lease(worker))
    await redis.command('HDEL', keys.checkpoints, worker)
    this.#missing.delete(worker)
  }

  /** Takes or keeps a task that one worker at a time does. */
  async hold(task: string, milliseconds: number): Promise<boolean> {
    const { redis, keys, worker } = this.#parts
    const key = keys.lock(task)
    if ((await redis.command('SET', key, worker, 'PX', milliseconds, 'NX')) !== null) return true
    if (String(await redis.command('GET', key)) !== worker) return false
    await redis.command('PEXPIRE', key, milliseconds)
    return true
  }

  async release(task: string): Promise<void> {
    const { redis, keys, worker } = this.#parts
    if (String(await redis.command('GET', keys.lock(task))) === worker) await redis.command('DEL', keys.lock(task))
  }
}

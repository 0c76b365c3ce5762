import { DatabaseLook, type DatabaseSizes } from '../lib/database-look.js'
import type { Heaps } from '../lib/heaps.js'
import { memoryBelow, type ProcessMemory } from '../lib/memory.js'
import type { RealServer } from '../lib/real-server.js'
import { RedisLook, type RedisSizes } from '../lib/redis-look.js'

export interface Sample {
  /** Minutes since the start. */
  readonly minute: number
  /** Bytes of private memory by role, and of the workers' live heaps. */
  readonly bytes: Readonly<Record<ProcessMemory['role'] | 'heap', number>>
  /** Sum over all workers. */
  readonly openFiles: number
  readonly redis: RedisSizes
  readonly database: DatabaseSizes
}

/** One observed size. */
export interface Size {
  readonly name: string
  readonly value: (sample: Sample) => number
  /** Permanent data, or grows with it. */
  readonly grows?: boolean
  /** Must be as small as before when all clients have gone. */
  readonly isGoneAtTheEnd?: boolean
}

const megabytes = (name: string, key: keyof Sample['bytes']): Size => ({
  name: `${name}, MB`,
  value: ({ bytes }) => bytes[key] / 1e6,
})

export const sizes: readonly Size[] = [
  megabytes('workers, all memory', 'worker'),
  megabytes('workers, live heap', 'heap'),
  megabytes('supervisor, all memory', 'supervisor'),
  { name: 'Redis, data, MB', value: ({ redis }) => redis.usedBytes / 1e6 },
  megabytes('Redis, all memory', 'redis'),
  { ...megabytes('PostgreSQL, all memory', 'postgres'), grows: true },
  { name: 'queues', value: ({ redis }) => redis.queues, isGoneAtTheEnd: true },
  { name: 'logs of queues', value: ({ redis }) => redis.logs, isGoneAtTheEnd: true },
  { name: 'keys of Redis', value: ({ redis }) => redis.keys },
  { name: 'feed entries', value: ({ redis }) => redis.feedEntries },
  { name: 'outbox rows', value: ({ database }) => database.outbox, isGoneAtTheEnd: true },
  { name: 'open files of the workers', value: ({ openFiles }) => openFiles },
  { name: 'connections of PostgreSQL', value: ({ database }) => database.connections },
  { name: 'database, MB', value: ({ database }) => database.bytes / 1e6, grows: true },
]

/** Samples the processes and databases of a server. */
export class Sampler {
  private readonly redis: RedisLook
  private readonly database: DatabaseLook
  private readonly begun = performance.now()
  private readonly workers: string

  constructor(
    private readonly server: RealServer,
    private readonly heaps: Heaps,
  ) {
    this.redis = new RedisLook(server.setting('REDIS_URL'))
    this.database = new DatabaseLook(server.setting('DATABASE_URL'))
    this.workers = String(pidsOf(memoryBelow(server.pid)))
  }

  /** @throws if a worker was replaced. */
  async sample(): Promise<Sample> {
    const processes = memoryBelow(this.server.pid)
    const workers = pidsOf(processes)
    if (String(workers) !== this.workers) throw new Error('a worker has ended')
    const bytes = { worker: 0, decoder: 0, supervisor: 0, redis: 0, postgres: 0, heap: 0 }
    let openFiles = 0
    for (const { role, bytes: own, openFiles: files } of processes) {
      bytes[role] += own
      if (role === 'worker') openFiles += files
    }
    for (const pid of workers) bytes.heap += (await this.heaps.of(pid)).heapUsed
    const [redis, database] = await Promise.all([this.redis.sizes(), this.database.sizes()])
    return { minute: (performance.now() - this.begun) / 60_000, bytes, openFiles, redis, database }
  }

  async stop(): Promise<void> {
    this.redis.stop()
    await this.database.stop()
  }
}

const pidsOf = (processes: readonly ProcessMemory[]): number[] =>
  processes.flatMap(({ role, pid }) => (role === 'worker' ? [pid] : [])).sort((a, b) => a - b)

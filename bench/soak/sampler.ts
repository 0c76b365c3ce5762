import { DatabaseLook, type DatabaseSizes } from '../lib/database-look.js'
import { memoryBelow, type ProcessMemory } from '../lib/memory.js'
import type { RealServer } from '../lib/real-server.js'
import { RedisLook, type RedisSizes } from '../lib/redis-look.js'
import type { Heaps } from './heaps.js'

export interface Sample {
  /** Minutes since the start. */
  readonly minute: number
  readonly workers: readonly { readonly bytes: number; readonly heapBytes: number; readonly externalBytes: number }[]
  readonly supervisorBytes: number
  readonly redisBytes: number
  readonly postgresBytes: number
  /** Sum over all workers. */
  readonly openFiles: number
  readonly redis: RedisSizes
  readonly database: DatabaseSizes
}

/** Samples the processes and databases of a server. */
export class Sampler {
  readonly #redis: RedisLook
  readonly #database: DatabaseLook
  readonly #begun = performance.now()
  readonly #workers: string

  constructor(
    private readonly server: RealServer,
    private readonly heaps: Heaps,
  ) {
    this.#redis = new RedisLook(server.setting('REDIS_URL'))
    this.#database = new DatabaseLook(server.setting('DATABASE_URL'))
    this.#workers = workersOf(memoryBelow(server.pid))
  }

  /** @throws if a worker was replaced. */
  async sample(): Promise<Sample> {
    const processes = memoryBelow(this.server.pid)
    if (workersOf(processes) !== this.#workers) throw new Error('a worker has ended')
    const of = (role: ProcessMemory['role']) => processes.filter(process => process.role === role)
    const bytes = (role: ProcessMemory['role']) => of(role).reduce((sum, process) => sum + process.bytes, 0)
    const workers: Sample['workers'][number][] = []
    for (const { pid, bytes } of of('worker')) {
      const { heapUsed, external } = await this.heaps.of(pid)
      workers.push({ bytes, heapBytes: heapUsed, externalBytes: external })
    }
    const [redis, database] = await Promise.all([this.#redis.sizes(), this.#database.sizes()])
    return {
      minute: (performance.now() - this.#begun) / 60_000,
      workers,
      supervisorBytes: bytes('supervisor'),
      redisBytes: bytes('redis'),
      postgresBytes: bytes('postgres'),
      openFiles: of('worker').reduce((sum, process) => sum + process.openFiles, 0),
      redis,
      database,
    }
  }

  /** For a message about leftover keys. */
  keys(): Promise<string[]> {
    return this.#redis.keys()
  }

  async stop(): Promise<void> {
    this.#redis.stop()
    await this.#database.stop()
  }
}

const workersOf = (processes: readonly ProcessMemory[]): string =>
  processes
    .flatMap(({ role, pid }) => (role === 'worker' ? [pid] : []))
    .sort((a, b) => a - b)
    .join()

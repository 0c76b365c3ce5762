import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EmbeddedServer } from '../../../server/embedded/embedded-server.js'
import { startPostgres } from '../../../server/embedded/postgres.js'
import { startRedis } from '../../../server/embedded/redis.js'
import { createLog } from '../../../server/log.js'
import { childrenOf } from '../../support/processes.js'
import type { Services, Teardown } from '../../support/services.js'
import { signal } from './workers.js'

/** A database server that a test may break. It restarts with the same port and data. */
export class Store {
  private constructor(
    private readonly begin: () => Promise<EmbeddedServer>,
    private server: EmbeddedServer,
  ) {}

  static async start(begin: () => Promise<EmbeddedServer>): Promise<Store> {
    return new Store(begin, await begin())
  }

  get url(): string {
    return this.server.url
  }

  /** SIGKILL. PostgreSQL's child processes detect it and end. */
  kill(): Promise<void> {
    return this.server.kill()
  }

  /** An orderly stop; for PostgreSQL `pg_ctl stop -m fast`. */
  stop(): Promise<void> {
    return this.server.stop()
  }

  async start(): Promise<void> {
    this.server = await this.begin()
  }

  /** Stops the processes: the kernel still accepts connections, but no request is answered. */
  freeze(): void {
    this.signal('SIGSTOP')
  }

  thaw(): void {
    this.signal('SIGCONT')
  }

  /** All its processes: one of Redis, many of PostgreSQL. */
  get pids(): number[] {
    return [this.server.pid, ...childrenOf(this.server.pid)]
  }

  // The parent first, since it starts others.
  private signal(name: NodeJS.Signals): void {
    for (const pid of this.pids) signal(pid, name)
  }

  async end(): Promise<void> {
    // A stopped process does not handle the signal to end.
    this.thaw()
    await this.server.stop()
  }
}

export interface Stores extends Services {
  readonly postgres: Store
  readonly redis: Store
  readonly dataDir: string
}

/**
 * Databases of this test only, with the durable settings of a deployment. `redisArgs` are read at each start of Redis;
 * `redisDir` is the directory of its data, if not `dataDir`.
 */
export async function startStores(t: Teardown, redisArgs: readonly string[] = [], redisDir?: string): Promise<Stores> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-faults-'))
  const log = createLog('silent', 'test')
  const [postgres, redis] = await Promise.all([
    Store.start(() => startPostgres({ dataDir, log })),
    Store.start(() => startRedis({ dataDir: redisDir ?? dataDir, log, extraArgs: redisArgs })),
  ])
  t.teardown(async () => {
    await Promise.all([postgres.end(), redis.end()])
    await rm(dataDir, { recursive: true, force: true })
  })
  return { postgres, redis, dataDir, databaseUrl: postgres.url, redisUrl: redis.url }
}

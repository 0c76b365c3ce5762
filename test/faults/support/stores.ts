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

/** A database server that a test may break. It comes back on the port that its clients know, with the data that it has. */
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

  /** As `kill -9`. PostgreSQL's helpers notice and end by themselves. */
  kill(): Promise<void> {
    return this.server.kill()
  }

  /** As its administrator would: for PostgreSQL `pg_ctl stop -m fast`. */
  stop(): Promise<void> {
    return this.server.stop()
  }

  async start(): Promise<void> {
    this.server = await this.begin()
  }

  /** It holds still: connections stay, new ones come about, nothing is answered. */
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

  // First the one that makes others.
  private signal(name: NodeJS.Signals): void {
    for (const pid of this.pids) signal(pid, name)
  }

  async end(): Promise<void> {
    // A frozen one would not hear that it shall stop.
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
 * Servers of this test alone, as an operator runs them: with their safe settings. `redisArgs` are read at each start of Redis;
 * `redisDir` is where its data lies, if not in `dataDir`.
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

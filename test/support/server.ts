import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startApp } from '../../server/app.js'
import { program } from '../../server/config/paths.js'
import { type Config, readConfig } from '../../server/config.js'
import type { WorkerCtx } from '../../server/ctx.js'
import type { External } from '../../server/external/external.js'
import type { NativeRoute } from '../../server/http/native-routes.js'
import type { JobRunner } from '../../server/jobs/runner.js'
import { createLog } from '../../server/log.js'
import type { Sql } from '../../server/store/driver/db.js'
import { openDatabase } from '../../server/store/driver/open-database.js'
import { migrate } from '../../server/store/schema/migrate.js'
import { Api, type Credentials } from './http.js'
import { recallLeases } from './leases.js'
import { createPerson, type Person, type PersonOptions } from './people.js'
import { type Services, services, type Teardown } from './services.js'
import { copyTemplate } from './template.js'

type Settings = Record<string, string>

/** A separate organization: a schema or a database in PostgreSQL and a prefix in Redis, removed after the test. */
export class TestOrganization {
  private readonly workers: WorkerCtx[] = []
  /** Servers that may run in other processes, or that start in this one. */
  private otherServers = 0

  /** `sql`: a pool of the test. Its changes of the directory wait only for servers in other processes to notice them. */
  constructor(
    readonly services: Services,
    readonly schema: string,
    readonly sql: Sql,
  ) {
    recallLeases(sql, async () => {
      for (const { directory } of this.workers) directory.recall()
      return this.otherServers === 0
    })
  }

  /** The server that was started with the last `env` is this worker, in this process. */
  hasStarted(ctx: WorkerCtx): void {
    this.otherServers--
    this.workers.push(ctx)
  }

  /** A pool of a program that is no worker: its changes wait for the end of all leases. */
  outside(t: Teardown): Sql {
    const sql = openPool(this.services.databaseUrl, this.schema, 1)
    t.teardown(() => sql.end())
    return sql
  }

  /** Settings of a server for this organization. */
  env(settings: Settings = {}): Settings {
    this.otherServers++
    return {
      DATABASE_URL: this.services.databaseUrl,
      REDIS_URL: this.services.redisUrl,
      DATABASE_SCHEMA: this.schema,
      KEY_PREFIX: this.schema,
      PORT: '0',
      DEMO: '0',
      LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'error',
      ...settings,
    }
  }
}

/** A pool of a test. Between two statements of its transactions the test may wait longer than a server would. */
function openPool(...at: Parameters<typeof openDatabase>): Sql {
  const sql = openDatabase(...at)
  sql.options.connection.idle_in_transaction_session_timeout = 0
  return sql
}

/** `connections`: the size of the test's pool. */
export async function testOrganization(t: Teardown, given?: Services, connections = 3): Promise<TestOrganization> {
  const found = given ?? (await services(t))
  const schema = `t${randomUUID().replaceAll('-', '').slice(0, 16)}`
  const { TEST_TEMPLATE: template } = process.env
  if (given || template === undefined) return migratedOrganization(t, found, schema, connections)
  const databaseUrl = await copyTemplate(t, found.databaseUrl, template, schema)
  const sql = openPool(databaseUrl, schema, connections)
  t.teardown(() => sql.end())
  return new TestOrganization({ ...found, databaseUrl }, schema, sql)
}

async function migratedOrganization(
  t: Teardown,
  services: Services,
  schema: string,
  connections: number,
): Promise<TestOrganization> {
  await migrate(services.databaseUrl, schema)
  const sql = openPool(services.databaseUrl, schema, connections)
  t.teardown(async () => {
    await sql.unsafe(`drop schema ${schema} cascade`)
    await sql.end()
  })
  return new TestOrganization(services, schema, sql)
}

/** A whole server. */
export interface TestServer {
  readonly url: string
  readonly organization: TestOrganization
  readonly sql: Sql
  person(options?: PersonOptions): Promise<Person>
  api(who: Credentials | null): Api
}

function testServer(url: string, organization: TestOrganization): TestServer {
  return {
    url,
    organization,
    sql: organization.sql,
    person: options => createPerson(organization.sql, url, options),
    api: who => new Api(url, who),
  }
}

/** One worker in this process: it starts fast, and tests can access its parts. */
export async function startServer(
  t: Teardown,
  settings: Settings = {},
  given?: TestOrganization,
  external?: External,
): Promise<
  TestServer & {
    ctx: WorkerCtx
    config: Config
    nativeRoutes: readonly NativeRoute[]
    jobs: JobRunner
    /** Where it receives mail. */
    mailPort: number | undefined
    stop(): Promise<void>
  }
> {
  const organization = given ?? (await testOrganization(t))
  const dataDir = join(tmpdir(), `parley-data-${randomUUID()}`)
  t.teardown(() => rm(dataDir, { recursive: true, force: true }))
  const config = readConfig(organization.env({ DATA_DIR: dataDir, ...settings }))
  const app = await startApp(config, createLog(config.logLevel, 'test'), {}, external)
  let stopping: Promise<void> | undefined
  const stop = () => (stopping ??= app.stop())
  t.teardown(stop)
  organization.hasStarted(app.ctx)
  const { ctx, nativeRoutes, jobs, mailPort } = app
  return {
    ...testServer(`http://127.0.0.1:${app.port}`, organization),
    ctx,
    config,
    nativeRoutes,
    jobs,
    mailPort,
    stop,
  }
}

/** The real program in separate processes that tests may kill. Its workers share one port. */
export async function spawnServer(
  t: Teardown,
  settings: Settings = {},
  given?: TestOrganization,
): Promise<TestServer & { process: ChildProcess; stop(): Promise<void> }> {
  const organization = given ?? (await testOrganization(t))
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-data-'))
  const child = fork(program, {
    env: { ...process.env, ...organization.env({ WORKERS: '1', DATA_DIR: dataDir, ...settings }) },
    // Not this process's standard error: if this process is killed, its parent must not wait for the server's end, too.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  passOn(child)
  let stopping: Promise<void> | undefined
  const stop = () =>
    (stopping ??= (async () => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM')
        await once(child, 'exit')
      }
      await rm(dataDir, { recursive: true, force: true })
    })())
  t.teardown(stop)
  const url = await ready(child)
  return { ...testServer(url, organization), process: child, stop }
}

// Characters; enough to see why a server does not start.
const mostPassedOn = 16_384

/** Prints the beginning of a server's standard error; later lines would hide the test's own. */
export function passOn({ stderr }: ChildProcess): void {
  let left = mostPassedOn
  stderr?.on('data', (chunk: Buffer) => {
    if (left > 0) process.stderr.write(chunk.subarray(0, left))
    left -= chunk.length
  })
}

function ready(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk
      const line = /^ready (http\S+)$/m.exec(output)
      if (line?.[1]) resolve(line[1])
    })
    child.once('exit', code => reject(new Error(`the server ended with ${code} before it was ready`)))
  })
}

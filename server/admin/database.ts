import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.js'
import { lockDirectory } from '../embedded/lock.js'
import { startPostgres } from '../embedded/postgres.js'
import type { Log } from '../log.js'
import { migrate } from '../store/migrate.js'
import { openDatabase } from '../store/open-database.js'
import { pingDatabase } from '../store/ping.js'
import { AdminError } from './admin-error.js'

export type WithDatabase = Config & { readonly databaseUrl: string }

/**
 * Runs the work on the database of the settings, after all migrations: the one of DATABASE_URL, the one of the server that runs on
 * DATA_DIR, or, if no server runs, the one stored there, started for the duration of the work. `create`: create it if none is stored.
 * @throws {AdminError}
 */
export async function withDatabase<T>(
  config: Config,
  log: Log,
  work: (settings: WithDatabase) => Promise<T>,
  { create = false }: { create?: boolean } = {},
): Promise<T> {
  const { databaseUrl = await runningUrl(config.dataDir) } = config
  if (databaseUrl) {
    const complaint = await silence(databaseUrl, config)
    if (complaint === undefined) return await prepared({ ...config, databaseUrl }, work)
    if (config.databaseUrl) throw new AdminError(`The database of DATABASE_URL does not answer: ${complaint}.`)
  }
  if (!create && !existsSync(join(config.dataDir, 'postgres'))) {
    const what = `No server runs on the data directory ${config.dataDir}, and no database lies there`
    throw new AdminError(`${what}: start it with npm start, or set DATA_DIR or DATABASE_URL.`)
  }
  return await withStarted(config, log, work)
}

async function withStarted<T>(config: Config, log: Log, work: (settings: WithDatabase) => Promise<T>): Promise<T> {
  const unlock = await lockDirectory(config.dataDir)
  try {
    const server = await startPostgres({ dataDir: config.dataDir, log })
    try {
      return await prepared({ ...config, databaseUrl: server.url }, work)
    } finally {
      await server.stop()
    }
  } finally {
    unlock()
  }
}

async function prepared<T>(settings: WithDatabase, work: (settings: WithDatabase) => Promise<T>): Promise<T> {
  await migrate(settings.databaseUrl, settings.databaseSchema)
  return await work(settings)
}

/** The reason why the database does not answer; undefined: it answers. */
async function silence(url: string, { databaseSchema }: Config): Promise<string | undefined> {
  const sql = openDatabase(url, databaseSchema, 1)
  try {
    await pingDatabase(sql)
    return undefined
  } catch (error) {
    return (error as Error).message
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** The address that the embedded PostgreSQL writes to a file at every start; undefined: it has never been started. */
async function runningUrl(dataDir: string): Promise<string | undefined> {
  try {
    const { port, password } = JSON.parse(await readFile(join(dataDir, 'postgres.json'), 'utf8'))
    return `postgres://parley:${password}@127.0.0.1:${port}/postgres`
  } catch {
    return undefined
  }
}

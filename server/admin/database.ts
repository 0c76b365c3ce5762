import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.js'
import { lockDirectory } from '../embedded/lock.js'
import { startPostgres } from '../embedded/postgres.js'
import type { Log } from '../log.js'
import { openDatabase } from '../store/db.js'
import { migrate } from '../store/migrate.js'
import { pingDatabase } from '../store/ping.js'
import { AdminError } from './admin-error.js'

export type WithDatabase = Config & { readonly databaseUrl: string }

/**
 * Works with the database of the settings, brought up to date: that of DATABASE_URL, that of the server running on DATA_DIR
 * or, where none runs, the one that lies there, started for as long as the work takes. `create`: also where none lies yet.
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
  const unlock = lockDirectory(config.dataDir)
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

/** Why the database does not answer; undefined: it does. */
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

/** As the embedded PostgreSQL writes it down at every start; undefined: it was never started there. */
async function runningUrl(dataDir: string): Promise<string | undefined> {
  try {
    const { port, password } = JSON.parse(await readFile(join(dataDir, 'postgres.json'), 'utf8'))
    return `postgres://parley:${password}@127.0.0.1:${port}/postgres`
  } catch {
    return undefined
  }
}

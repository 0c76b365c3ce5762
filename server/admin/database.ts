import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.js'
import { lockDirectory } from '../embedded/lock.js'
import { startPostgres } from '../embedded/postgres.js'
import type { Log } from '../log.js'
import { openDatabase } from '../store/driver/open-database.js'
import { pingDatabase } from '../store/driver/ping.js'
import { reachDatabase } from '../store/driver/reach-database.js'
import { migrate } from '../store/schema/migrate.js'
import { AdminError } from './admin-error.js'

export type WithDatabase = Config & { readonly databaseUrl: string }

interface DatabaseOptions {
  /** Create the database of DATA_DIR if none is stored there. */
  readonly create?: boolean
  /** Make a new schema, and refuse one that this program does not run on; default: true. */
  readonly migrates?: boolean
}

/**
 * Runs the work on the database of the settings, after all migrations: the one of DATABASE_URL, the one of the server that runs on
 * DATA_DIR, or, if no server runs, the one stored there, started for the duration of the work.
 * @throws {AdminError} @throws {StartError}
 */
export async function withDatabase<T>(
  config: Config,
  log: Log,
  work: (settings: WithDatabase) => Promise<T>,
  { create = false, migrates = true }: DatabaseOptions = {},
): Promise<T> {
  const prepared = async (settings: WithDatabase) => {
    const { databaseUrl: url, databaseSocket: socket, databaseSchema } = settings
    if (migrates) await migrate({ url, socket }, databaseSchema)
    return await work(settings)
  }
  const { databaseUrl, databaseSocket: socket, databaseSchema } = config
  if (databaseUrl) {
    await reachDatabase({ url: databaseUrl, socket }, databaseSchema, { waitMs: 0, log })
    return await prepared({ ...config, databaseUrl })
  }
  const running = await runningUrl(config.dataDir)
  if (running && (await answers(running, databaseSchema))) return await prepared({ ...config, databaseUrl: running })
  if (!create && !existsSync(join(config.dataDir, 'postgres'))) {
    const what = `No server runs on the data directory ${config.dataDir}, and no database lies there`
    throw new AdminError(`${what}: start it with npm start, or set DATA_DIR or DATABASE_URL.`)
  }
  return await withStarted(config, log, prepared)
}

async function withStarted<T>(config: Config, log: Log, work: (settings: WithDatabase) => Promise<T>): Promise<T> {
  const unlock = await lockDirectory(config.dataDir)
  try {
    const server = await startPostgres({ dataDir: config.dataDir, log })
    try {
      return await work({ ...config, databaseUrl: server.url })
    } finally {
      await server.stop()
    }
  } finally {
    unlock()
  }
}

async function answers(url: string, schema: string): Promise<boolean> {
  const sql = openDatabase(url, schema, 1)
  try {
    await pingDatabase(sql)
    return true
  } catch {
    return false
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

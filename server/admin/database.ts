import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.js'
import { openDatabase } from '../store/db.js'
import { pingDatabase } from '../store/ping.js'
import { AdminError } from './admin-error.js'

/**
 * The settings with the address of a database that answers: the one that is set, or that of the server running on DATA_DIR.
 * @throws {AdminError}
 */
export async function findDatabase(config: Config): Promise<Config & { databaseUrl: string }> {
  const databaseUrl = config.databaseUrl ?? (await embeddedUrl(config.dataDir))
  const sql = openDatabase(databaseUrl, config.databaseSchema, 1)
  try {
    await pingDatabase(sql)
  } catch (error) {
    throw new AdminError(
      config.databaseUrl
        ? `The database of DATABASE_URL does not answer: ${(error as Error).message}.`
        : notRunning(config.dataDir),
    )
  } finally {
    await sql.end({ timeout: 1 })
  }
  return { ...config, databaseUrl }
}

/** As the embedded PostgreSQL writes it down at every start. */
async function embeddedUrl(dataDir: string): Promise<string> {
  try {
    const { port, password } = JSON.parse(await readFile(join(dataDir, 'postgres.json'), 'utf8'))
    return `postgres://parley:${password}@127.0.0.1:${port}/postgres`
  } catch {
    throw new AdminError(notRunning(dataDir))
  }
}

const notRunning = (dataDir: string) =>
  `No server runs on the data directory ${dataDir}: start it with npm start, or set DATA_DIR or DATABASE_URL.`

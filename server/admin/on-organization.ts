import { readConfig } from '../config.js'
import type { Ctx } from '../ctx.js'
import { createLog } from '../log.js'
import { migrate } from '../store/migrate.js'
import { findDatabase } from './database.js'
import { withOrganization } from './offline.js'

/** Acts on the organization of the settings in the environment, its database brought up to date. @throws {AdminError} */
export async function onOrganization<T>(work: (ctx: Ctx) => Promise<T>): Promise<T> {
  const settings = await findDatabase(readConfig(process.env))
  await migrate(settings.databaseUrl, settings.databaseSchema)
  return await withOrganization(settings, createLog('warn', 'admin'), work)
}

/** What a command has to say: one JSON object, or lines for people. */
export function print(json: boolean, value: unknown, lines: readonly string[]): void {
  process.stdout.write(json ? `${JSON.stringify(value)}\n` : lines.map(line => `${line}\n`).join(''))
}

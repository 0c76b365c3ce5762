import { readConfig } from '../config.js'
import type { Ctx } from '../ctx.js'
import { createLog } from '../log.js'
import { withDatabase } from './database.js'
import { withOrganization } from './offline.js'

/** Runs the work on the organization of the environment's settings, after all migrations. @throws {AdminError} */
export async function onOrganization<T>(work: (ctx: Ctx) => Promise<T>): Promise<T> {
  const log = createLog('warn', 'admin')
  return await withDatabase(readConfig(process.env), log, settings => withOrganization(settings, log, work))
}

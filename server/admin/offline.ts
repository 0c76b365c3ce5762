import { buildContext } from '../build-context.js'
import type { Config } from '../config.js'
import type { Ctx, Jobs, Origin, Publisher } from '../ctx.js'
import { openExternal } from '../external/external.js'
import type { Log } from '../log.js'
import { Directory } from '../memory/directory.js'
import { openStorage } from '../storage/open-storage.js'
import { openDatabase } from '../store/driver/open-database.js'
import { commandOrigin } from './operator.js'

// Publishes nothing: events stay in the outbox until a worker publishes them, now or after its start.
const unpublished: Publisher = {
  publish() {},
  publishBehindOutbox() {},
  announce() {},
  recallDirectories: async () => false,
  revokeElsewhere: async () => false,
  knownRows: { above: Number.MAX_SAFE_INTEGER, noted: 0, before: () => [] },
}
// Runs no jobs: a worker finds the rows, now or after its start.
const forWorkers: Jobs = { added() {}, wake() {} }
// Presence exists only in Redis; without it every user counts as offline.
const allOffline: Ctx['presence'] = {
  of: async () => null,
  noteUnshared: async () => {},
  exchange: async () => ({ lastUpdateId: -1, cameOnline: false, own: null, users: new Map() }),
}

/** Runs actions on an organization from outside its workers, whether workers run or not. `origin`: of what they change. */
export async function withOrganization<T>(
  config: Config,
  log: Log,
  work: (ctx: Ctx) => Promise<T>,
  origin: Origin = commandOrigin(),
): Promise<T> {
  if (!config.databaseUrl) throw new Error('the address of the database is missing')
  const sql = openDatabase({ url: config.databaseUrl, socket: config.databaseSocket }, config.databaseSchema, 4)
  const storage = await openStorage(config, log)
  const directory = new Directory(sql, config.webPublicChannels)
  const ctx = buildContext({
    config,
    log,
    clock: { now: () => Date.now() },
    sql,
    searching: sql,
    writing: [sql],
    directory,
    realtime: unpublished,
    presence: allOffline,
    jobs: forWorkers,
    storage,
    external: openExternal(config),
    startedAt: Date.now(),
    origin,
  })
  try {
    await directory.load()
    return await work(ctx)
  } finally {
    await ctx.renderThreads.stop()
    ctx.pictures.stop()
    storage.close()
    await sql.end({ timeout: 5 })
  }
}

import { eventDefs } from '../shared/events/index.js'
import { jobsDue } from '../shared/events/jobs-due.js'
import { pushDevicesChanged } from '../shared/events/push-devices-changed.js'
import { realmDeactivated } from '../shared/events/realm-deactivated.js'
import { revoked } from '../shared/events/revoked.js'
import { sessionsEnded } from '../shared/events/sessions-ended.js'
import { announceStart } from './actions/announce/start.js'
import { noteLastQueue } from './actions/notify/last-queue.js'
import { updateKnownTopics } from './actions/topics/update-known-topics.js'
import { routes } from './api/index.js'
import { buildContext } from './build-context.js'
import { budgets } from './config/budgets.js'
import { builtPages } from './config/paths.js'
import type { Config } from './config.js'
import type { WorkerCtx } from './ctx.js'
import { demoRoutes, letsPeopleEnter, peopleOf } from './demo/routes.js'
import { type External, openExternal } from './external/external.js'
import { logFailure } from './failures/log-failure.js'
import { listen } from './http/listen.js'
import type { NativeRoute } from './http/native-routes.js'
import { readSite } from './http/site/read-site.js'
import type { TakeTurn } from './images/picture-queue.js'
import { jobKinds } from './jobs/index.js'
import { JobRunner } from './jobs/runner.js'
import { Attempts } from './limits/attempts.js'
import type { Log } from './log.js'
import { Directory } from './memory/directory.js'
import { startDirectoryRefresh } from './memory/directory-refresh.js'
import type { Activity } from './metrics/activity.js'
import { FilesWatch } from './monitor/files-watch.js'
import type { SupervisorLink } from './monitor/supervisor-link.js'
import { WorkerMonitor } from './monitor/worker-monitor.js'
import { documentPages } from './openapi/pages.js'
import { toolsOf } from './openapi/tools.js'
import { startEngine } from './realtime/engine.js'
import { connectRedis } from './redis/client.js'
import { loadFunctions } from './redis/functions.js'
import { PresenceStore } from './redis/presence.js'
import { SlackPlaces } from './redis/slack-places.js'
import { StreamedTexts } from './redis/streamed-texts.js'
import { MailCounts } from './smtp/mail-counts.js'
import { receiveMails } from './smtp/mail-listener.js'
import { addSocket } from './socket/socket.js'
import { CountedStorage } from './storage/counted-storage.js'
import { openStorage } from './storage/open-storage.js'
import { StorageCounts } from './storage/storage-counts.js'
import { DatabaseCounts } from './store/driver/database-counts.js'
import { learnTypes, openDatabase, type StatementKind } from './store/driver/open-database.js'
import { readFileSizes } from './store/files/file-sizes.js'
import { databaseOutbox } from './store/organization/outbox.js'
import { writerConnections } from './store/sending/message-writer.js'

export interface App {
  readonly port: number
  /** Where this worker receives mail; undefined: it receives none. */
  readonly mailPort: number | undefined
  readonly ctx: WorkerCtx
  readonly activity: Activity
  readonly jobs: JobRunner
  /** All routes of the native layer; the last one leads to the table of operations. */
  readonly nativeRoutes: readonly NativeRoute[]
  /** Another worker of this machine died: sweep its outbox rows and adopt its queues at once. */
  siblingDied(): void
  /**
   * Drains: accepts no new work, answers running requests, closes sockets with 1012, and leaves the queues to other workers.
   * `linger`: until it aborts, clients on keep-alive connections have time to change to another worker.
   */
  stop(linger?: AbortSignal): Promise<void>
}

// Longer than PostgreSQL's own statement timeouts.
const databaseSilenceMs = 30_000

/** What a worker gets from its supervisor. */
interface Supervision {
  /** Absent: the worker is the only one. */
  readonly link?: SupervisorLink
  /** When the server started, in ms. Absent: with this process, and its start is not announced. */
  readonly startedAt?: number
  /** Absent: no other worker of this machine decodes pictures. */
  readonly takeDecodeTurn?: TakeTurn | undefined
}

/**
 * Builds and connects the parts of one worker; only this file knows all of them. `external`: tests bring hosts of their own, because
 * the server connects to no address of its own machine for a user.
 */
export async function startApp(
  config: Config,
  log: Log,
  { link, startedAt, takeDecodeTurn }: Supervision = {},
  external: External | null = openExternal(config),
): Promise<App> {
  if (!config.databaseUrl || !config.redisUrl) throw new Error('a worker needs DATABASE_URL and REDIS_URL')
  const clock = { now: () => Date.now() }
  const database = new DatabaseCounts()
  const address = { url: config.databaseUrl, socket: config.databaseSocket }
  const open = (connections: number, kind: StatementKind) =>
    openDatabase(address, config.databaseSchema, connections, { kind, silenceMs: databaseSilenceMs, counts: database })
  const sql = open(config.databaseConnections, 'request')
  const searching = open(budgets.searchesAtOnce.most, 'search')
  const writing = Array.from({ length: writerConnections }, () => open(1, 'message'))
  const pools = [sql, searching, ...writing]
  await Promise.all(pools.map(learnTypes))
  const redis = await connectRedis(config.redisUrl, log, config.redisSocket)
  const functions = await loadFunctions(redis)
  const directory = new Directory(sql, config.webPublicChannels, forMs => engine.isReachable(forMs))
  await directory.load()
  const outbox = databaseOutbox(sql)
  const engine = await startEngine({
    config,
    log,
    clock,
    redis,
    org: directory.organization.uuid,
    defs: eventDefs,
    outbox,
  })
  engine.onDirectoryRecall(() => directory.recall())
  const jobs = new JobRunner(jobKinds())
  const fileCounts = new StorageCounts()
  const storage = new CountedStorage(await openStorage(config, log), fileCounts)
  const ofRedis = [redis, functions, config.keyPrefix, directory.organization.uuid] as const
  const parts = {
    config,
    log,
    clock,
    sql,
    searching,
    writing,
    redis,
    directory,
    realtime: engine,
    presence: new PresenceStore(...ofRedis),
    jobs,
    storage,
    external,
    takeDecodeTurn,
    startedAt: startedAt ?? clock.now() - process.uptime() * 1000,
  }
  const ctx: WorkerCtx = {
    ...buildContext(parts),
    redis,
    presence: parts.presence,
    realtime: engine,
    attempts: new Attempts(...ofRedis),
    slackPlaces: new SlackPlaces(redis, config.keyPrefix, directory.organization.uuid),
    streamedTexts: new StreamedTexts(...ofRedis),
  }
  engine.onEntry(entry => updateKnownTopics(ctx.memory.knownTopics, entry))
  engine.onEntry(entry => {
    const { name } = entry
    if (name === jobsDue.name) jobs.look()
    if (name === pushDevicesChanged.name) ctx.memory.pushAccounts.drop()
    // Some decisions use the directory without a query, for example the owner of an API key, so it is refreshed at once.
    if (changesDirectory(name))
      void directory.fresh().catch(error => logFailure(ctx, error, 'the directory could not be refreshed'))
    if (name === revoked.name) {
      void directory
        .fresh()
        // The refresh above logs a failure. The queues end in any case.
        .catch(() => {})
        .then(() => engine.revoke((entry.payload as { user_id: number }).user_id))
    }
  })
  engine.onLastCollected((userId, idleSince) => noteLastQueue(ctx, userId, idleSince))
  engine.onRevocation(async userIds => {
    await directory.fresh()
    for (const id of userIds) engine.revoke(id)
  })
  const stopDirectoryRefresh = startDirectoryRefresh(sql, directory, log, database)
  await jobs.start(ctx)
  const files = new FilesWatch({ storage, counts: fileCounts, sizes: () => readFileSizes(sql), log })
  const mails = new MailCounts()
  const monitor = new WorkerMonitor(
    {
      engine,
      database,
      outbox,
      jobs: { sql, lanes: jobs.lanes },
      messages: ctx.messageWriter,
      pictures: ctx.pictures,
      files,
      mails,
    },
    link,
  )
  const offered = letsPeopleEnter(config) ? [...routes, ...demoRoutes] : routes
  const listening = await listen(ctx, offered, addSocket, {
    pages: documentPages(config),
    site: readSite(builtPages, config.wireBrand),
    monitor,
    people: letsPeopleEnter(config) ? peopleOf : undefined,
    tools: () => toolsOf(routes),
  })
  monitor.watch(() => listening.figures())
  engine.onEntry(({ name }) => {
    if (name === realmDeactivated.name) void engine.endAll().then(() => listening.allSessionsEnded())
  })
  engine.onEntry(({ name, payload }) => {
    if (name !== sessionsEnded.name && name !== revoked.name) return
    void directory
      .fresh()
      // The refresh of every such entry logs a failure. What the sessions hold ends in any case.
      .catch(() => {})
      .then(() => listening.sessionsEnded((payload as { user_id: number }).user_id))
  })
  const mailListener = await receiveMails(ctx, mails)
  if (startedAt !== undefined) await announceStart(ctx)
  return {
    port: listening.port,
    get mailPort() {
      return mailListener?.port
    },
    ctx,
    activity: listening.activity,
    jobs,
    nativeRoutes: listening.nativeRoutes,
    siblingDied: () => engine.siblingDied(),
    async stop(linger) {
      ctx.pictures.drain()
      await mailListener?.stop()
      await listening.stop(linger)
      monitor.stop()
      await files.stop()
      stopDirectoryRefresh()
      await jobs.stop()
      ctx.pictures.stop()
      await ctx.renderThreads.stop()
      ctx.storage.close()
      await engine.stop()
      await redis.close()
      await Promise.all(pools.map(pool => pool.end({ timeout: 5 })))
    },
  }
}

/** An event that this worker does not know comes from a newer one, unless it is the engine's own. */
const changesDirectory = (name: string): boolean => eventDefs.get(name)?.changesDirectory ?? !name.startsWith('_')

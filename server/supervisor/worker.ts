import { type App, startApp } from '../app.js'
import { version } from '../config/version.js'
import type { Config } from '../config.js'
import type { Log } from '../log.js'
import { underWay } from '../metrics/activity.js'
import { mostUnderWay, watchForHangs } from '../monitor/hang-watch.js'
import { watchMemory } from '../monitor/memory-watch.js'
import { SupervisorLink } from '../monitor/supervisor-link.js'
import { DecodeTurn } from './decode-turns.js'

const bytesPerMebibyte = 2 ** 20
// Slightly less than the supervisor waits before SIGKILL, so that a worker that cannot drain still logs it.
const drainMs = 20_000

/** One worker process: runs until the supervisor asks it to stop or has ended. */
export async function work(config: Config, log: Log): Promise<void> {
  // Aborts when all workers stop, after LINGER_SECONDS: clients can then only change to another server behind a load balancer.
  const noSuccessor = new AbortController()
  let app: App | undefined
  const link = process.send ? supervisorLink() : undefined
  const decodeTurn = process.send ? new DecodeTurn(sendToSupervisor) : undefined
  const stopAsked = new Promise<string>(resolve => {
    const stopWithAll = (reason: string) => {
      if (config.lingerSeconds > 0) setTimeout(() => noSuccessor.abort(), config.lingerSeconds * 1000)
      else noSuccessor.abort()
      resolve(reason)
    }
    process.on('SIGTERM', () => resolve('SIGTERM'))
    // Ctrl-C reaches all processes of a terminal, but under a supervisor the supervisor decides when a worker stops.
    process.on('SIGINT', () => process.send || stopWithAll('SIGINT'))
    process.on('SIGHUP', () => undefined)
    process.on('disconnect', () => stopWithAll('supervisor gone'))
    process.on('message', message => {
      const type = (message as { type?: unknown } | null)?.type
      if (type === 'worker-died') app?.siblingDied()
      if (type === 'stop') stopWithAll('all stop')
      link?.receive(message)
      decodeTurn?.receive(message)
    })
  })
  const startedAt = Number(process.env.PARLEY_STARTED_AT) || undefined
  app = await startApp(config, log, { link, startedAt, takeDecodeTurn: decodeTurn?.take })
  if (link) watch(app, config, log)
  process.send?.({ type: 'listening', port: app.port })
  log.info({ version, port: app.port }, 'listening')

  log.info({ reason: await stopAsked }, 'draining')
  setTimeout(() => {
    log.error('draining took too long')
    process.exit(1)
  }, drainMs)
  await app.stop(noSuccessor.signal)
  await link?.sendLastReadings()
  process.exit(0)
}

/** Reports to the supervisor once a second that the event loop runs, and asks for a replacement near the memory limit. */
function watch({ activity }: App, { workerHangSeconds, workerMemory, logLevel }: Config, log: Log): void {
  // Half of the limit in ms, so that the log has the hang before the supervisor kills this process.
  watchForHangs({
    activity,
    hangMs: workerHangSeconds * 500,
    logLevel,
    log,
    beat: () => sendToSupervisor({ type: 'alive' }),
  })
  if (workerMemory === undefined) return
  watchMemory(workerMemory * bytesPerMebibyte, use => {
    log.warn(
      { ...use, underWay: underWay(activity.memory, mostUnderWay) },
      'near the memory limit: asked for a replacement',
    )
    sendToSupervisor({ type: 'near-memory-limit' })
  })
}

function sendToSupervisor(message: { type: string }): void {
  if (process.connected) process.send?.(message, () => undefined)
}

/** The link to the supervisor; after the supervisor has ended, messages are dropped. */
function supervisorLink(): SupervisorLink {
  return new SupervisorLink((message, done) => {
    if (process.connected) process.send?.(message, undefined, undefined, done)
    else done()
  })
}

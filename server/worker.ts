import { startApp } from './app.js'
import type { Config } from './config.js'
import type { Log } from './log.js'

// A little less than the supervisor waits, so that a worker that cannot drain still says so itself.
const drainMilliseconds = 14_000

/** One server process: runs the whole application until it is told to stop, or its supervisor is gone. */
export async function work(config: Config, log: Log): Promise<void> {
  const stopAsked = new Promise<string>(resolve => {
    process.on('SIGTERM', () => resolve('SIGTERM'))
    // Ctrl-C reaches all processes of a terminal; under a supervisor it is the supervisor's to say when we stop.
    process.on('SIGINT', () => process.send || resolve('SIGINT'))
    process.on('SIGHUP', () => undefined)
    process.on('disconnect', () => resolve('supervisor gone'))
  })
  const app = await startApp(config, log)
  process.on('message', message => {
    if ((message as { type?: unknown } | null)?.type === 'worker-died') app.siblingDied()
  })
  process.send?.({ type: 'listening', port: app.port })
  log.info({ port: app.port }, 'listening')

  log.info({ reason: await stopAsked }, 'draining')
  setTimeout(() => {
    log.error('draining took too long')
    process.exit(1)
  }, drainMilliseconds)
  await app.stop()
  process.exit(0)
}

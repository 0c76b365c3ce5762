import { startApp } from '../../server/app.js'
import { readConfig } from '../../server/config.js'
import { createLog } from '../../server/log.js'

// A worker in a process of its own, which says how fast this machine is.
const config = readConfig(process.env)
const app = await startApp(config, createLog(config.logLevel, 'cost'))
process.on('disconnect', () => process.exit(0))
process.send?.({ port: app.port, nativeRoutes: app.nativeRoutes, referenceMs: referenceMs() })

/** CPU time in ms of work that depends on the machine alone: reading 2 MB of JSON, the fastest of ten times. */
function referenceMs(): number {
  const text = JSON.stringify(
    Array.from({ length: 40_000 }, (_, id) => ({ id, name: `name of ${id}`, flags: ['read'] })),
  )
  const times = Array.from({ length: 10 }, () => {
    const begin = process.cpuUsage()
    JSON.parse(text)
    const { user, system } = process.cpuUsage(begin)
    return (user + system) / 1000
  })
  return Math.min(...times)
}

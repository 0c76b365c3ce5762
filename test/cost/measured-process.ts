import { startApp } from '../../server/app.js'
import { hashPassword } from '../../server/auth/passwords.js'
import { readConfig } from '../../server/config.js'
import { createLog } from '../../server/log.js'

// CPU time in ms of the two pieces of work on the machine that the bounds of `bounds.ts` were chosen for.
const ownMs = { json: 14, password: 20 }

// A worker in a process of its own, which says how fast this machine is, at the start and for each message.
const config = readConfig(process.env)
const app = await startApp(config, createLog(config.logLevel, 'cost'))
process.on('disconnect', () => process.exit(0))
process.on('message', async () => process.send?.(await slowness()))
process.send?.({ port: app.port, nativeRoutes: app.nativeRoutes, slowness: await slowness() })

/** How often slower than that machine this one is now: at reading 2 MB of JSON, or at a password, which needs the memory more than the cores. */
async function slowness(): Promise<number> {
  const text = JSON.stringify(
    Array.from({ length: 40_000 }, (_, id) => ({ id, name: `name of ${id}`, flags: ['read'] })),
  )
  const json = await fastest(() => JSON.parse(text))
  const password = await fastest(() => hashPassword('a password'))
  return Math.max(1, json / ownMs.json, password / ownMs.password)
}

/** CPU time in ms, the least of ten times. */
async function fastest(work: () => unknown): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 10; round++) {
    const begin = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(begin)
    times.push((user + system) / 1000)
  }
  return Math.min(...times)
}

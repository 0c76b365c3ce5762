import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import type { Test } from 'tap'
import { begin } from './begin.js'
import type { Stores } from './stores.js'
import { eventually } from './wait.js'

// In ms; longer than the delay of queue logs (server/realtime/timing.ts), so that writing them fails, too.
const refusedMs = 4500

/** A server under load whose Redis will refuse writes, and the checks for that time. */
export async function beginRefusals(t: Test, stores: Stores) {
  const { server, scene } = await begin(t, { workers: 2, stores })
  const bystander = await server.person()
  const redis = new Redis(stores.redisUrl)
  t.teardown(() => redis.disconnect())
  scene.send()
  await scene.passes(50)

  /** Waits until every write is refused with this code. */
  const isRefused = async (code: string) => {
    await eventually(`${code}`, async () => {
      const failure = await redis.set('probe', '1').then(() => '', String)
      return failure.includes(code)
    })
    for (const path of ['/register', '/users/me/presence']) {
      const params = path === '/register' ? { event_types: ['message'], fetch_event_types: [] } : { status: 'active' }
      const { status, body } = await bystander.post(path, params)
      t.match({ status, code: body.code }, { status: 503, code: 'SERVER_NOT_READY' }, `${code}, ${path}: ${body.msg}`)
    }
    const before = scene.ledger.count('acknowledged')
    await sleep(refusedMs)
    t.ok(scene.ledger.count('acknowledged') > before, `${code}: messages are sent meanwhile`)
  }
  return { scene, redis, isRefused }
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { seeded, seedOf } from '../../support/random.js'
import { spawnServer, testOrganization } from '../../support/server.js'
import { between } from './between.js'
import { Scene } from './scene.js'
import { startStores } from './stores.js'
import { TcpProxy } from './tcp-proxy.js'

/** Shorter than a worker's lease. */
export const shortMs = 2000
/** A lease lives for 8 s, and is looked for 3 s more before its queues are adopted (server/realtime/timing.ts). */
export const longMs = 16_000

/** Two workers under load; one of them is cut from Redis for a while. */
export async function cutFromRedis(t: Test, cut: (proxy: TcpProxy) => void, forMs: number): Promise<void> {
  const seed = seedOf('FAULT_SEED')
  t.comment(`FAULT_SEED=${seed}`)
  const stores = await startStores(t)
  const { proxy, url } = await TcpProxy.before(t, stores.redisUrl)
  const organization = await testOrganization(t, stores)
  const settings = { WORKERS: '1', LOG_LEVEL: process.env.FAULT_LOG ?? 'fatal' }
  const [behind, direct] = [
    await spawnServer(t, { ...settings, REDIS_URL: url }, organization),
    await spawnServer(t, settings, organization),
  ]
  const scene = await Scene.start(between(behind, direct), { random: seeded(seed), pauseMs: 10 })
  scene.send()
  await sleep(1500)
  cut(proxy)
  await sleep(forMs)
  proxy.heal()
  await sleep(1500)
  await scene.settle(t)
  t.same(scene.ledger.failures(), {}, 'no sender noticed')
}

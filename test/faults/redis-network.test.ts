// The network between workers and Redis breaks in different ways for three workers, while a fourth one and PostgreSQL
// stay connected: for a moment, and for so long that the fourth worker adopts the queues of clients still connected to
// the others.
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import t from 'tap'
import { spawnServer, testOrganization } from '../support/server.js'
import { TcpProxy } from '../support/tcp-proxy.js'
import { randomOf, serverSettings, startScene } from './support/begin.js'
import { between } from './support/between.js'
import { isBuried } from './support/buried.js'
import { startStores } from './support/stores.js'
import { eventually } from './support/wait.js'
import { workersOf } from './support/workers.js'

// In ms; shorter than a worker's lease.
const shortMs = 2000
const forAMoment = {
  stalls: (proxy: TcpProxy) => proxy.cut(),
  'swallows the answers': (proxy: TcpProxy) => proxy.cut('answers'),
  'resets the connections': (proxy: TcpProxy) => proxy.reset(),
}
const untilTaken = {
  'is cut': (proxy: TcpProxy) => proxy.cut(),
  'forgets the connections': (proxy: TcpProxy) => proxy.forget(),
  'resets the connections': (proxy: TcpProxy) => proxy.reset(),
}

t.test('workers are cut from Redis', async t => {
  const random = randomOf(t)
  const stores = await startStores(t)
  const organization = await testOrganization(t, stores)
  const direct = await spawnServer(t, serverSettings(1), organization)
  const behind = await Promise.all(
    Object.keys(untilTaken).map(async () => {
      const { proxy, url } = await TcpProxy.before(t, stores.redisUrl)
      return { proxy, server: await spawnServer(t, serverSettings(1, { REDIS_URL: url }), organization) }
    }),
  )
  const redis = new Redis(stores.redisUrl)
  t.teardown(() => redis.disconnect())
  const proxies = behind.map(({ proxy }) => proxy)
  const servers = behind.map(({ server }) => server)
  const breakAll = (how: Record<string, (proxy: TcpProxy) => void>) => {
    t.comment(Object.keys(how).join(', '))
    for (const [i, breakIt] of Object.values(how).entries()) breakIt(proxies[i] as TcpProxy)
  }
  const healAll = () => {
    for (const proxy of proxies) proxy.heal()
  }
  const scene = await startScene(t, between(direct, ...servers), { random })
  scene.send()

  await scene.passes(50)
  breakAll(forAMoment)
  await sleep(shortMs)
  healAll()
  await scene.arrives()

  breakAll(untilTaken)
  const cutOff = servers.flatMap(({ process }) => workersOf(process.pid))
  await eventually('that their queues are taken', async () => {
    const taken = await Promise.all(cutOff.map(pid => isBuried(redis, direct, pid)))
    return taken.every(Boolean)
  })
  await scene.passes(50)
  healAll()
  await scene.passes(50)
  await scene.settle(t)
  t.same(scene.ledger.failures(), {}, 'no sender noticed')
})

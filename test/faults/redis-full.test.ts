// Redis lives and takes no more writes: its disk or its memory is full, or a replica that it must have is away. Messages are
// sent all the same and come when it takes writes again; what has to be written there is refused with SERVER_NOT_READY.
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import t from 'tap'
import { seeded, seedOf } from '../support/random.js'
import { spawnServer, testOrganization } from '../support/server.js'
import { Scene } from './support/scene.js'
import { type Stores, startStores } from './support/stores.js'
import { eventually } from './support/wait.js'

const fullMs = 5000

interface Fullness {
  readonly code: string
  fill(redis: Redis, stores: Stores): Promise<unknown>
  empty(redis: Redis, stores: Stores): Promise<unknown>
}

const fullnesses: Record<string, Fullness> = {
  'cannot write to its disk': {
    code: 'MISCONF',
    async fill(redis, { dataDir }) {
      chmodSync(join(dataDir, 'redis'), 0o500)
      await redis.config('SET', 'save', '3600 1')
      await redis.config('SET', 'stop-writes-on-bgsave-error', 'yes')
      await saved(redis, 'err')
    },
    async empty(redis, { dataDir }) {
      chmodSync(join(dataDir, 'redis'), 0o700)
      await saved(redis, 'ok')
      await redis.config('SET', 'save', '')
    },
  },
  'has no memory left': {
    code: 'OOM',
    fill: redis => redis.config('SET', 'maxmemory', '1mb'),
    empty: redis => redis.config('SET', 'maxmemory', '0'),
  },
  'lacks the replica that it must have': {
    code: 'NOREPLICAS',
    fill: redis => redis.config('SET', 'min-replicas-to-write', '1'),
    empty: redis => redis.config('SET', 'min-replicas-to-write', '0'),
  },
}

/** Lets it write a snapshot until that has the wanted outcome. */
async function saved(redis: Redis, outcome: 'ok' | 'err'): Promise<void> {
  await eventually(`a snapshot that is ${outcome}`, async () => {
    await redis.bgsave().catch(() => undefined)
    await sleep(50)
    return (await redis.info('persistence')).includes(`rdb_last_bgsave_status:${outcome}`)
  })
}

for (const [what, { code, fill, empty }] of Object.entries(fullnesses)) {
  t.test(`Redis ${what}`, async t => {
    const seed = seedOf('FAULT_SEED')
    t.comment(`FAULT_SEED=${seed}`)
    const stores = await startStores(t)
    const organization = await testOrganization(t, stores)
    const server = await spawnServer(t, { WORKERS: '2', LOG_LEVEL: process.env.FAULT_LOG ?? 'fatal' }, organization)
    const scene = await Scene.start(server, { random: seeded(seed), pauseMs: 10 })
    const bystander = await server.person()
    const redis = new Redis(stores.redisUrl)
    t.teardown(() => redis.disconnect())
    scene.send()
    await sleep(1000)
    await fill(redis, stores)
    const before = scene.ledger.count('acknowledged')
    await t.rejects(redis.set('probe', '1'), { message: new RegExp(`^${code}`) }, `Redis answers ${code}`)
    for (const path of ['/register', '/users/me/presence']) {
      const params = path === '/register' ? { event_types: ['message'], fetch_event_types: [] } : { status: 'active' }
      const { status, body } = await bystander.post(path, params)
      t.match({ status, code: body.code }, { status: 503, code: 'SERVER_NOT_READY' }, `${path}: ${body.msg}`)
    }
    await sleep(fullMs)
    t.ok(scene.ledger.count('acknowledged') > before, 'messages are sent meanwhile')
    await empty(redis, stores)
    await scene.settle(t)
    t.same(scene.ledger.failures(), {}, 'no sender noticed')
  })
}

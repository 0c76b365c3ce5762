// Redis lives and takes no more writes: its disk or its memory is full, or a replica that it must have is away. Messages are
// sent all the same and come when it takes writes again; what has to be written there is refused with SERVER_NOT_READY.
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { seeded, seedOf } from '../support/random.js'
import { spawnServer, testOrganization } from '../support/server.js'
import { Scene } from './support/scene.js'
import { smallDisk } from './support/small-disk.js'
import { type Stores, startStores } from './support/stores.js'
import { eventually } from './support/wait.js'

// Longer than it takes until queues are written to their logs (server/realtime/timing.ts): that has to fail, too.
const fullMs = 5000

interface Fullness {
  readonly code: string
  fill(redis: Redis, stores: Stores): Promise<unknown>
  empty(redis: Redis, stores: Stores): Promise<unknown>
}

const fullnesses: Record<string, Fullness> = {
  'cannot write a snapshot to its disk': {
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

async function begin(t: Test, stores: Stores) {
  const seed = seedOf('FAULT_SEED')
  t.comment(`FAULT_SEED=${seed}`)
  const organization = await testOrganization(t, stores)
  const server = await spawnServer(t, { WORKERS: '2', LOG_LEVEL: process.env.FAULT_LOG ?? 'fatal' }, organization)
  const scene = await Scene.start(server, { random: seeded(seed) })
  t.teardown(() => scene.stop())
  const bystander = await server.person()
  const redis = new Redis(stores.redisUrl)
  t.teardown(() => redis.disconnect())
  scene.send()
  await scene.passes(50)

  /** While it takes no writes. */
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
    await sleep(fullMs)
    t.ok(scene.ledger.count('acknowledged') > before, `${code}: messages are sent meanwhile`)
  }
  return { scene, redis, isRefused }
}

t.test('Redis takes no writes', async t => {
  const stores = await startStores(t)
  const { scene, redis, isRefused } = await begin(t, stores)
  for (const [what, { code, fill, empty }] of Object.entries(fullnesses)) {
    t.comment(`it ${what}`)
    await fill(redis, stores)
    await isRefused(code)
    await empty(redis, stores)
    await scene.arrives()
  }
  await scene.settle(t)
  t.same(scene.ledger.failures(), {}, 'no sender noticed')
})

t.test('the disk under its append-only file is full', async t => {
  const disk = await smallDisk(t, 48)
  if (!disk) return void t.pass('a disk that is full', { skip: 'no small file system may be mounted here' })
  const stores = await startStores(t, [], disk.path)
  const { scene, isRefused } = await begin(t, stores)
  for (let round = 0; round < 2; round++) {
    disk.fill()
    await isRefused('MISCONF')
    disk.empty()
    await scene.arrives()
  }
  await scene.settle(t)
  t.same(scene.ledger.failures(), {}, 'no sender noticed')
})

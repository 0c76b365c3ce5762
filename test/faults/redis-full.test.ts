// Redis runs and refuses writes: it cannot write a snapshot, its memory is full, or a required replica is unavailable.
// Messages are accepted and delivered when it accepts writes again; requests that have to write to Redis are refused
// with SERVER_NOT_READY.
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import t from 'tap'
import { beginRefusals } from './support/refused-writes.js'
import { type Stores, startStores } from './support/stores.js'
import { eventually } from './support/wait.js'

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

/** Makes Redis write snapshots until one has the wanted result. */
async function saved(redis: Redis, outcome: 'ok' | 'err'): Promise<void> {
  await eventually(`a snapshot that is ${outcome}`, async () => {
    await redis.bgsave().catch(() => undefined)
    await sleep(50)
    return (await redis.info('persistence')).includes(`rdb_last_bgsave_status:${outcome}`)
  })
}

t.test('Redis takes no writes', async t => {
  const stores = await startStores(t)
  const { scene, redis, isRefused } = await beginRefusals(t, stores)
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

// FLUSHALL under load: Redis loses all data and keeps running. Workers write complete queues again. Other clients get
// an error that their queue is gone, or their library registers a new one: no queue has a silent gap, and no event id
// is used twice.
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import t from 'tap'
import { rounds } from './support/amounts.js'
import { begin } from './support/begin.js'
import { ClientReader } from './support/client-reader.js'
import { countUntilLoss } from './support/count-until-loss.js'
import { PollReader } from './support/poll-reader.js'
import { registerQueue } from './support/queue.js'
import type { Reader } from './support/reader.js'
import { startStores } from './support/stores.js'

t.test('Redis is emptied', async t => {
  const stores = await startStores(t)
  const { random, server, scene } = await begin(t, { workers: 2, stores })
  const gone: Reader[] = []
  t.teardown(() => Promise.all(gone.map(reader => reader.stop())))
  const redis = new Redis(stores.redisUrl)
  t.teardown(() => redis.disconnect())
  scene.send()
  for (let round = 0; round < rounds; round++) {
    const { person, sees } = await scene.follower()
    // No client reads it before: the worker that owns it must have all of its events.
    const { queueId } = await registerQueue(person)
    const before = scene.ledger.sends.length
    await scene.passes(50)
    // Some events are in queue logs by then, some are not.
    await sleep(random(6000))
    await redis.flushall()
    const unread = PollReader.resume(`unread ${round + 1}`, sees, person, queueId)
    unread.after = before
    scene.readers.push(unread)
    const fresh = await ClientReader.start(`registered after ${round + 1}`, sees, person, { codec: 'json' })
    fresh.after = scene.ledger.sends.length
    scene.readers.push(fresh)
    await scene.passes(50)
    gone.push(...(await scene.takeLost(t)))
  }
  await scene.settle(t)
  await countUntilLoss(t, server.sql, { others: scene.readers, gone })
  t.same(scene.ledger.failures(), {}, 'no sender noticed')
})

import { randomUUID } from 'node:crypto'
import t from 'tap'
import { createLog } from '../../server/log.js'
import { connectRedis } from '../../server/redis/client.js'
import { loadFunctions } from '../../server/redis/functions.js'
import { keysOf } from '../../server/redis/keys.js'
import { startRig, type Teardown } from '../realtime/rig.js'

async function setUp(t: Teardown) {
  const { redisUrl } = await startRig(t)
  const redis = await connectRedis(redisUrl, createLog('silent', 'test'))
  const functions = await loadFunctions(redis)
  const keys = keysOf(randomUUID(), randomUUID())
  const [run] = (await functions.call('run', [keys.run], [0])) as [Buffer]
  const feed = [keys.feed, keys.seen, keys.run, keys.checkpoints]
  const publish = async (floor: number, entries: [outbox: number | '', width: number][]) => {
    const args = entries.flatMap(([outbox, width]) => [outbox, width, '', '', 'bytes'])
    const reply = await functions.call('publish', feed, [run, floor, 'own', keys.entries, ...args])
    const [kind, previous, ...ids] = reply as [Buffer, ...number[]]
    return { kind: kind.toString(), previous, ids }
  }
  return { redis, functions, keys, publish, end: () => redis.close() }
}

t.test('ids are multiples of 16, rise, and leave room below for wide events', async t => {
  const { publish, end } = await setUp(t)
  const { ids } = await publish(0, [
    ['', 1],
    ['', 1],
    ['', 40],
    ['', 1],
    ['', 2],
  ])
  const widths = [1, 1, 40, 1, 2]
  for (const [i, id] of ids.entries()) {
    t.equal(id % 16, 0)
    if (i > 0) t.ok(id - (widths[i] as number) >= (ids[i - 1] as number) + 15)
  }
  await end()
})

t.test('an outbox id is published once and keeps its id', async t => {
  const { publish, redis, keys, end } = await setUp(t)
  const first = await publish(0, [
    [1, 1],
    [2, 1],
  ])
  const second = await publish(0, [
    [2, 1],
    [3, 1],
    [1, 1],
    [3, 1],
  ])
  t.same([second.ids[0], second.ids[2]], [first.ids[1], first.ids[0]])
  t.equal(second.ids[1], second.ids[3])
  t.equal(await redis.command('XLEN', keys.feed), 3)
  await end()
})

t.test('ids do not go back below what a caller has seen', async t => {
  const { publish, end } = await setUp(t)
  const ahead = 1_995_180_998_564_048
  t.same((await publish(ahead, [['', 1]])).ids, [ahead + 16])
  t.same((await publish(0, [['', 1]])).ids, [ahead + 32])
  t.same((await publish(ahead + 24, [['', 1]])).ids, [ahead + 48])
  await end()
})

t.test(
  'a run that the feed does not know holds publishing back, so that lost events can be put back first',
  async t => {
    const { publish, functions, redis, keys, end } = await setUp(t)
    const { ids } = await publish(0, [
      [1, 1],
      [2, 1],
      [3, 1],
    ])
    await redis.command('DEL', keys.feed, keys.seen, keys.run)
    t.equal((await publish(0, [[4, 1]])).kind, 'stranger')
    const hour = 3_600_000
    const [run, isKnown, hold] = (await functions.call('run', [keys.run], [hour])) as [Buffer, number, number]
    t.same([isKnown, hold], [0, hour])
    t.equal((await publish(0, [[4, 1]])).kind, 'hold')
    const entries = (list: number[]) => list.flatMap(id => [id, ids.indexOf(id) + 1, '', '', 'bytes'])
    t.equal(await functions.call('restore', [keys.feed, keys.seen], entries(ids.slice(0, 2))), 2)
    t.equal(await functions.call('restore', [keys.feed, keys.seen], entries(ids)), 1, 'another worker knew more')
    t.equal((await publish(0, [[2, 1]])).kind, 'hold', 'until the moment is over')
    await redis.command('SET', keys.run, `${run} 0`)
    t.same((await publish(0, [[2, 1]])).ids, [ids[1]])
    await end()
  },
)

t.test('functions are loaded again when Redis has lost them', async t => {
  const { publish, redis, end } = await setUp(t)
  await redis.command('FUNCTION', 'FLUSH')
  t.equal((await publish(0, [['', 1]])).kind, 'ok')
  await end()
})

// Creating a queue and writing its log must identify the Redis process in the same way; otherwise every log would be
// rewritten after each registration.
t.test('what creates a queue and what writes its log name the process of Redis alike', async t => {
  const { functions, keys, end } = await setUp(t)
  const both = [keys.meta('q'), keys.log('q')]
  const created = await functions.call('create', both, [60, '', '', 'user', 1, 'owner', 'a', 'epoch', 1])
  const [process] = (await functions.call('log-append', both, ['a', 1, 60, '', '', 16, -1, 0, ''])) as [Buffer]
  t.equal(String(created), String(process))
  await end()
})

t.test('a queue under another epoch is not written', async t => {
  const { functions, redis, keys, end } = await setUp(t)
  const both = [keys.meta('q'), keys.log('q')]
  const meta = ['user', 1, 'owner', 'a', 'epoch', 1, 'upto', 16, 'acked', -1, 'issued', 0, 'f0', 'facts']
  t.ok(await functions.call('create', both, [60, '', '', ...meta]))
  t.equal(await functions.call('create', both, [60, '', '', ...meta]), null)
  const append = async (worker: string, epoch: number, id: number, again = '') => {
    const args = [worker, epoch, 60, id, '', id, -1, 0, again]
    return ((await functions.call('log-append', both, args)) as [Buffer, number])[1]
  }
  const take = async (worker: string, by: string, ...agrees: (string | number)[]) =>
    ((await functions.call('take', both, [worker, by, agrees[0] as string, 0, agrees[1] as string])) as unknown[])[0]
  t.equal(await append('a', 1, 32), 1)
  t.equal(await append('a', 1, 32), 1, 'again: it is there')
  t.equal(await take('b', 'consumer', 'user', 2), null)
  t.match(await take('b', 'consumer', 'user', 1), [Buffer.from('a')])
  t.equal(await append('a', 1, 48), -1)
  t.match(await take('c', 'adopted', 'owner', 'b'), [Buffer.from('b')])
  t.equal(await append('b', 2, 48), -2)
  t.equal(await append('b', 3, 48), -2, 'an epoch that Redis lost and gave once more')
  t.equal(await redis.command('XLEN', keys.log('q')), 1)
  t.equal(await append('c', 4, 48), -3, 'Redis lost how the queue came to this owner: what else did it lose?')
  t.equal(await append('c', 4, 48, '1'), 1)
  t.equal(await append('b', 3, 64), -2)
  await redis.command('HSET', keys.meta('q'), 'settled', 'another')
  t.equal(await append('c', 4, 64), -3, 'another process of Redis took the last entry')
  t.equal(await append('c', 4, 64, '1'), 1)
  t.equal(await append('c', 4, 80), 1)
  t.equal(await functions.call('drop', both, ['user', 2]), null)
  t.equal(String(await functions.call('drop', both, ['user', 1])), 'c')
  t.equal(await append('c', 4, 96), 0)
  await end()
})

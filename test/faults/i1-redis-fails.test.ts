import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { keysOf } from '../../server/redis/keys.js'
import { FakeSocket, idsOf, numbersOf, rises, startRigWithRedis, until } from '../realtime/rig.js'

t.test('I1: Redis is killed and comes back: nothing is lost, nothing comes twice, ids rise', async t => {
  const { rig, redis } = await startRigWithRedis(t)
  const [a, b] = [await rig.worker(), await rig.worker()]
  const [attached, polled] = [await rig.queue(a, 1), await rig.queue(b, 1)]
  const socket = new FakeSocket()
  await a.engine.attach(attached, 1, -1, socket)
  rig.write(a, [0, 1, 2], [1])
  await until(() => socket.numbers.length === 3)
  await redis.kill()
  rig.write(a, [3, 4], [1])
  rig.write(b, [5, 6], [1])
  await redis.start()
  rig.write(a, [7], [1])
  await until(() => socket.numbers.length === 8)
  const events = await rig.drain(b, polled, 1, { last: -1, count: 8 })
  t.same(events, socket.events)
  t.same([...socket.numbers].sort(), [0, 1, 2, 3, 4, 5, 6, 7])
  for (const own of [
    [0, 1, 2, 3, 4, 7],
    [5, 6],
  ]) {
    t.same(
      socket.numbers.filter(n => own.includes(n)),
      own,
      'in the order of each worker',
    )
  }
  t.ok(rises(idsOf(events)))
  await until(() => rig.outbox.rows.size === 0)
  const c = await rig.worker()
  t.same(await rig.drain(c, attached, 1, { last: socket.events[4]?.id ?? 0, count: 3 }), events.slice(5))
})

t.test('I1: Redis comes back without its last second: workers put back what they have read', async t => {
  const { rig, redis } = await startRigWithRedis(t, {}, { outboxKeepMs: 3000 })
  const [a, b] = [await rig.worker(), await rig.worker()]
  const [polled, lagging] = [await rig.queue(a, 1), await rig.queue(a, 2)]
  rig.write(a, [0, 1, 2], [1, 2])
  await rig.settled(a)
  const appended = join(redis.dataDir, 'redis', 'appendonlydir')
  const copy = join(redis.dataDir, 'copy')
  await cp(appended, copy, { recursive: true })
  const born = await rig.queue(a, 1)
  rig.write(a, [3, 4, 5], [1, 2])
  await rig.settled(a)
  await rig.settled(b)
  const seen = await rig.poll(a, polled, 1, { last: -1 })
  t.same(numbersOf(seen), [0, 1, 2, 3, 4, 5])
  await redis.kill()
  // Overwrites the existing files, because Redis runs under its own account.
  for (const file of await readdir(copy)) await writeFile(join(appended, file), await readFile(join(copy, file)))
  // A commit that no worker could publish.
  rig.commit(6, [1, 2])
  await redis.start()
  rig.write(b, [7], [1, 2])
  const events = await rig.drain(a, polled, 1, { last: -1, count: 8 })
  t.same(events.slice(0, 6), seen, 'the same events under the same ids')
  t.same([...numbersOf(events)].sort(), [0, 1, 2, 3, 4, 5, 6, 7])
  t.ok(rises(idsOf(events)))
  t.same(
    numbersOf(await rig.drain(a, born, 1, { last: -1, count: 5 })),
    numbersOf(events).slice(3),
    'a queue that Redis had lost',
  )
  await rig.settled(a)
  await until(() => rig.outbox.rows.size === 0)
  // A worker that knows only the data in Redis.
  const c = await rig.worker()
  t.same(await rig.drain(c, lagging, 2, { last: -1, count: 8 }), events)
  const last = events.at(-1)?.id ?? 0
  t.same(await rig.poll(c, polled, 1, { last, dontBlock: true }), [])
})

t.test('I1: Redis loses everything: queues that are complete in memory continue, others end', async t => {
  const { rig } = await startRigWithRedis(t)
  const [a, b] = [await rig.worker(), await rig.worker()]
  const [one, two] = [await rig.queue(a, 1), await rig.queue(b, 1)]
  rig.write(a, [0, 1, 2], [1])
  await rig.settled(a)
  const before = await rig.poll(a, one, 1, { last: -1 })
  await a.redis.command('FLUSHALL')
  rig.write(b, [3, 4], [1])
  const events = await rig.drain(a, one, 1, { last: -1, count: 5 })
  t.same(events.slice(0, 3), before)
  t.same(numbersOf(events), [0, 1, 2, 3, 4])
  t.ok(rises(idsOf(events)))
  t.same(await rig.drain(b, two, 1, { last: -1, count: 5 }), events)
  await until(async () => (await a.redis.command('EXISTS', keysOf(rig.prefix, rig.org).meta(one))) === 1)
  t.same(await rig.drain(b, one, 1, { last: events[2]?.id ?? 0, count: 2 }), events.slice(3))
  await a.redis.command('FLUSHALL')
  const fresh = await rig.worker()
  await t.rejects(rig.poll(fresh, 'a5a3c9a0-0000-4000-8000-000000000000', 1, { last: -1 }), {
    code: 'BAD_EVENT_QUEUE_ID',
  })
})

t.test('while Redis is away a queue that is here is still served, and others are put off', async t => {
  const { rig, redis } = await startRigWithRedis(t)
  const [a, b] = [await rig.worker(), await rig.worker()]
  const queue = await rig.queue(a, 1)
  rig.write(a, [1], [1])
  await rig.settled(a)
  await redis.kill()
  t.same(numbersOf(await rig.poll(a, queue, 1, { last: -1 })), [1])
  await t.rejects(rig.poll(b, queue, 1, { last: -1 }), { code: 'SERVER_NOT_READY' })
  await redis.start()
  await until(() =>
    rig.poll(b, queue, 1, { last: -1, dontBlock: true }).then(
      events => numbersOf(events).length === 1,
      error => error.code !== 'SERVER_NOT_READY' && Promise.reject(error),
    ),
  )
})

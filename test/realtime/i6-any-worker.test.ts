import t from 'tap'
import { connectRedis } from '../../server/redis/client.js'
import { keysOf } from '../../server/redis/keys.js'
import { FakeSocket, idsOf, numbersOf, rises, startRig, until, type Worker } from './rig.js'

t.test('I6: polls alternate between two workers and every event comes once, in order', async t => {
  const rig = await startRig(t)
  const workers = [await rig.worker(), await rig.worker()] as [Worker, Worker]
  const queue = await rig.queue(workers[0], 1)
  const all = []
  let last = -1
  for (let n = 0; n < 24; n++) {
    rig.write(workers[n % 2] as Worker, [2 * n, 2 * n + 1], [1, 2])
    // The next answer contains the events that the last one left out.
    const events = await rig.poll(workers[Math.floor(n / 2) % 2] as Worker, queue, 1, { last })
    all.push(...events)
    last = events.at(-1)?.id ?? last
  }
  const rest = await rig.drain(workers[0], queue, 1, { last, count: 48 - all.length })
  t.same(numbersOf([...all, ...rest]), [...Array(48).keys()])
  t.ok(rises(idsOf([...all, ...rest])))
})

t.test('I6: the same events come again from another worker, under the same ids', async t => {
  // Worker a keeps acknowledgements to itself, because it writes logs so late.
  const rig = await startRig(t, {}, { queueLogMs: 60_000 })
  const [a, b] = [await rig.worker(), await rig.worker()]
  const queue = await rig.queue(a, 1)
  rig.write(a, [1, 2, 3], [1])
  await rig.settled(a)
  await rig.settled(b)
  const first = await rig.poll(a, queue, 1, { last: -1 })
  t.equal(first.length, 3)
  t.same(await rig.poll(b, queue, 1, { last: -1 }), first)
  // Until the notification of the takeover arrives, worker a has its own copy, and a poll there ends without events.
  await until(() => a.engine.stats().queues === 0)
  t.same(await rig.poll(a, queue, 1, { last: first[0]?.id ?? 0 }), first.slice(1))
  // In its own copy worker b would know all ids.
  await until(() => b.engine.stats().queues === 0)
  const never = (first[0]?.id ?? 0) - 16
  await t.rejects(
    rig.poll(b, queue, 1, { last: never }),
    { code: 'BAD_EVENT_QUEUE_ID' },
    'b cannot tell it from one that was lost',
  )
  t.same(await rig.poll(b, queue, 1, { last: -1, dontBlock: true }), first)
  await t.rejects(rig.poll(b, queue, 1, { last: never }), { code: 'BAD_REQUEST' }, 'now all of it is known')
})

t.test('I6: a worker accepts the id of an event that another one delivered and had acknowledged', async t => {
  const rig = await startRig(t)
  const [a, b] = [await rig.worker(), await rig.worker()]
  rig.write(a, [0], [1])
  await rig.settled(a)
  const queue = await rig.queue(a, 1)
  const others = await rig.queue(a, 2)
  rig.write(a, [1, 2, 3], [1])
  rig.write(a, [4], [2])
  await rig.settled(a)
  await rig.settled(b)
  const last = idsOf(await rig.poll(a, queue, 1, { last: -1 })).at(-1) ?? 0
  const [notMine = 0] = idsOf(await rig.poll(a, others, 2, { last: -1 }))
  t.same(await rig.poll(a, queue, 1, { last, dontBlock: true }), [])
  await t.rejects(
    rig.poll(b, queue, 1, { last: notMine, dontBlock: true }),
    { code: 'BAD_REQUEST' },
    'it was in another queue',
  )
  await t.rejects(
    rig.poll(b, queue, 1, { last: last - 16 * 1_000_000_000, dontBlock: true }),
    { code: 'BAD_REQUEST' },
    'older than the queue',
  )
  t.same(await rig.poll(b, queue, 1, { last, dontBlock: true }), [])
})

t.test('I6: no client resumes from an event that Redis lost, or from a heartbeat after it', async t => {
  // Redis loses, with the feed, the events that are in no queue log yet.
  const rig = await startRig(t, { heartbeatSeconds: 0.2 }, { maintenanceMs: 10, queueLogMs: 60_000 })
  const a = await rig.worker()
  const [kept, queue] = [await rig.queue(a, 1), await rig.queue(a, 1)]
  const beatBehind = async (one: string, n: number) => {
    const socket = new FakeSocket()
    await a.engine.attach(one, 1, -1, socket)
    await until(() => socket.numbers.includes(n) && socket.events.at(-1)?.type === 'heartbeat')
    return idsOf(socket.events).slice(-2) as [number, number]
  }
  rig.write(a, [1], [1])
  const [, known] = await beatBehind(kept, 1)
  rig.write(a, [2], [1])
  const [lost, beat] = await beatBehind(queue, 2)
  await until(() => rig.outbox.rows.size === 0)
  await a.kill()
  const before = await connectRedis(rig.redisUrl, rig.log)
  t.teardown(() => before.close())
  await before.command('XDEL', keysOf(rig.prefix, rig.org).feed, `${lost - (lost % 16)}-0`)
  const b = await rig.worker({ queueLogMs: 40 })
  // OutboxCleanup again under a new id: only worker a, which was killed, knew the former one.
  rig.write(b, [2], [1])
  await rig.settled(b)
  for (const id of [lost, beat])
    await t.rejects(rig.poll(b, queue, 1, { last: id, dontBlock: true }), { code: 'BAD_EVENT_QUEUE_ID' })
  // So many that only the queue log contains them.
  rig.write(b, [...Array(2000).keys()], [1])
  await rig.settled(b)
  await until(() => rig.outbox.rows.size === 0)
  for (const id of [lost, beat])
    await t.rejects(rig.poll(b, queue, 1, { last: id, dontBlock: true }), { code: 'BAD_EVENT_QUEUE_ID' })
  t.same(numbersOf(await rig.poll(b, kept, 1, { last: known })).slice(0, 3), [2, 0, 1])
})

t.test('I6: a request for the queue of another user does not disturb its reader', async t => {
  const rig = await startRig(t)
  const [a, b] = [await rig.worker(), await rig.worker()]
  const queue = await rig.queue(a, 1)
  const stranger = rig.poll(b, queue, 2, { last: -1, dontBlock: true })
  const reader = rig.poll(b, queue, 1, { last: -1, dontBlock: true })
  await t.rejects(stranger, { code: 'BAD_EVENT_QUEUE_ID' })
  t.same(await reader, [])
})

t.test('I6: a socket that attaches elsewhere ends the reader that the queue has', async t => {
  const rig = await startRig(t)
  const [a, b] = [await rig.worker(), await rig.worker()]
  const [attached, polled] = [await rig.queue(a, 1), await rig.queue(a, 1)]
  const older = new FakeSocket()
  await a.engine.attach(attached, 1, -1, older)
  const poll = rig.poll(a, polled, 1, { last: -1 })
  await until(() => a.engine.stats().polls === 1)
  const newer = [new FakeSocket(), new FakeSocket()] as const
  await b.engine.attach(attached, 1, -1, newer[0])
  await b.engine.attach(polled, 1, -1, newer[1])
  t.same(await poll, [])
  await until(() => older.closed)
  t.equal(older.closed?.code, 4009)
  t.equal(a.engine.stats().queues, 0)
  rig.write(a, [1], [1])
  await until(() => newer.every(socket => socket.numbers.length === 1))
  t.same(older.numbers, [])
})

t.test('I6: a queue is dropped through any worker', async t => {
  const rig = await startRig(t)
  const [a, b] = [await rig.worker(), await rig.worker()]
  const queue = await rig.queue(a, 1)
  const poll = rig.poll(a, queue, 1, { last: -1 })
  const refused = t.rejects(poll, { code: 'BAD_EVENT_QUEUE_ID' })
  await until(() => a.engine.stats().polls === 1)
  await b.engine.drop(queue, 1)
  await refused
  await t.rejects(rig.poll(b, queue, 1, { last: -1 }), { code: 'BAD_EVENT_QUEUE_ID' })
})

t.test('I6: two workers that claim a queue at once leave it with one of them', async t => {
  const rig = await startRig(t)
  const [a, b, c] = [await rig.worker(), await rig.worker(), await rig.worker()]
  const queue = await rig.queue(a, 1)
  rig.write(a, [1, 2], [1])
  for (const worker of [a, b, c]) await rig.settled(worker)
  const answers = await Promise.all([b, c, b, c].map(worker => rig.poll(worker, queue, 1, { last: -1 })))
  for (const answer of answers) if (answer.length > 0) t.same(numbersOf(answer), [1, 2])
  t.ok(answers.some(answer => answer.length > 0))
  await until(() => [a, b, c].filter(worker => worker.engine.stats().queues > 0).length === 1)
})

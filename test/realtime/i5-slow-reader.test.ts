import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { keysOf } from '../../server/redis/keys.js'
import { FakeSocket, idsOf, numbersOf, rises, startRig, until } from './rig.js'

t.test('I5: a full socket is sent nothing more until it has drained, and then everything', async t => {
  const rig = await startRig(t)
  const worker = await rig.worker()
  const queue = await rig.queue(worker, 1)
  const socket = new FakeSocket('json', 2)
  const attachment = await worker.engine.attach(queue, 1, -1, socket)
  const numbers = [...Array(300).keys()]
  for (const n of numbers) {
    rig.write(worker, [n], [1])
    if (n < 10) await rig.settled(worker)
  }
  await rig.settled(worker)
  t.equal(socket.frames.length, 3, 'the one that filled it was taken')
  while (socket.numbers.length < 300) {
    socket.capacity = socket.frames.length
    socket.unsent = 0
    const before = socket.frames.length
    attachment.drained()
    await until(() => socket.frames.length > before)
    t.equal(socket.frames.length, before + 1)
  }
  t.same(socket.numbers, numbers)
  t.ok(rises(idsOf(socket.events)))
  socket.capacity = Number.POSITIVE_INFINITY
  attachment.drained()
  rig.write(worker, [300], [1])
  await until(() => socket.numbers.length === 301)
})

t.test('I5: a slow reader does not delay others', async t => {
  const rig = await startRig(t)
  const worker = await rig.worker()
  const [slow, quick] = [new FakeSocket('json', 0), new FakeSocket()]
  await worker.engine.attach(await rig.queue(worker, 1), 1, -1, slow)
  await worker.engine.attach(await rig.queue(worker, 1), 1, -1, quick)
  rig.write(worker, [...Array(100).keys()], [1])
  await until(() => quick.numbers.length === 100)
  t.equal(slow.frames.length, 1)
})

t.test('I5: a socket that makes no progress is closed with 4008, and its client goes on elsewhere', async t => {
  const rig = await startRig(t, { socketStallSeconds: 0.2 })
  const [a, b] = [await rig.worker(), await rig.worker()]
  const queue = await rig.queue(a, 1)
  const socket = new FakeSocket('json', 1)
  await a.engine.attach(queue, 1, -1, socket)
  rig.write(a, [1], [1])
  await until(() => socket.numbers.length === 1)
  rig.write(a, [2], [1])
  await until(() => socket.numbers.length === 2)
  rig.write(a, [3], [1])
  await until(() => socket.closed)
  t.equal(socket.closed?.code, 4008)
  t.same(numbersOf(await rig.drain(b, queue, 1, { last: socket.events[0]?.id ?? 0, count: 2 })), [2, 3])
})

t.test('I5: a socket with more unsent than the limit is closed with 4008', async t => {
  const rig = await startRig(t, { socketBufferBytes: 10 })
  const worker = await rig.worker()
  const socket = new FakeSocket('json', 0)
  await worker.engine.attach(await rig.queue(worker, 1), 1, -1, socket)
  rig.write(worker, [1], [1])
  await until(() => socket.closed)
  t.equal(socket.closed?.code, 4008)
})

t.test('I5: thousands of unread events leave memory for the log and come back whole', async t => {
  const rig = await startRig(t)
  const [a, b] = [await rig.worker(), await rig.worker()]
  const [polled, attached] = [await rig.queue(a, 1), await rig.queue(a, 1)]
  const numbers = [...Array(3000).keys()]
  for (let n = 0; n < 3000; n += 100) {
    rig.write(a, numbers.slice(n, n + 100), [1])
    await rig.settled(a)
  }
  await until(() => rig.outbox.rows.size === 0)
  t.equal(a.engine.stats().pendingEntries, 6000)
  const events = await rig.drain(a, polled, 1, { last: -1, count: 3000 })
  t.same(numbersOf(events), numbers)
  t.ok(rises(idsOf(events)))
  t.equal(a.engine.stats().pendingEntries, 6000)
  const socket = new FakeSocket()
  await b.engine.attach(attached, 1, -1, socket)
  await until(() => socket.numbers.length >= 3000)
  t.same(socket.numbers, numbers)
})

t.test('I5: a worker keeps nothing of what a reader far behind was given from the log', async t => {
  const rig = await startRig(t)
  const [a, b] = [await rig.worker(), await rig.worker()]
  const queue = await rig.queue(a, 1)
  for (let n = 0; n < 6000; n += 100) {
    rig.write(
      a,
      Array.from({ length: 100 }, (_, i) => n + i),
      [1],
    )
    await rig.settled(a)
  }
  const given: WeakRef<object>[] = []
  let events = 0
  const socket = new FakeSocket()
  socket.send = frame => {
    given.push(new WeakRef(frame as Uint8Array))
    events += JSON.parse(Buffer.from(frame as Uint8Array).toString()).events.length
    return true
  }
  await b.engine.attach(queue, 1, -1, socket)
  await until(() => events === 6000)
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  await until(() => {
    collect()
    return given.every(frame => frame.deref() === undefined)
  })
  t.ok(given.length > 5, `${given.length} frames`)
})

t.test('I5: what is acknowledged piece by piece is forgotten, also in the log', async t => {
  const rig = await startRig(t)
  const worker = await rig.worker()
  const queue = await rig.queue(worker, 1)
  const numbers = [...Array(2000).keys()]
  for (let n = 0; n < 2000; n += 100) {
    rig.write(worker, numbers.slice(n, n + 100), [1])
    await rig.settled(worker)
  }
  await until(() => rig.outbox.rows.size === 0)
  const socket = new FakeSocket('json', 0)
  const attachment = await worker.engine.attach(queue, 1, -1, socket)
  for (let seen = 0; seen < 2000; ) {
    await until(() => socket.numbers.length > seen)
    const events = socket.events
    seen = events.length
    attachment.acknowledge(events.at(-1)?.id ?? 0)
    socket.capacity = socket.frames.length
    attachment.drained()
  }
  t.same(socket.numbers, numbers)
  t.equal(worker.engine.stats().pendingEntries, 0)
  const key = keysOf(rig.prefix, rig.org).log(queue)
  await until(async () => (await worker.redis.command('XLEN', key)) === 0)
})

t.test('a queue with too many unacknowledged events is evicted, and its client gets BAD_EVENT_QUEUE_ID', async t => {
  const rig = await startRig(t, { queueMaxEvents: 50 })
  const [a, b] = [await rig.worker(), await rig.worker()]
  const [polled, attached] = [await rig.queue(a, 1), await rig.queue(a, 1)]
  const socket = new FakeSocket('json', 0)
  await a.engine.attach(attached, 1, -1, socket)
  rig.write(a, [...Array(60).keys()], [1])
  await until(() => socket.closed)
  t.equal(socket.closed?.code, 4010)
  await t.rejects(rig.poll(a, polled, 1, { last: -1 }), { code: 'BAD_EVENT_QUEUE_ID' })
  await until(() =>
    rig.poll(b, polled, 1, { last: -1, dontBlock: true }).catch(error => error.code === 'BAD_EVENT_QUEUE_ID'),
  )
})

t.test('a queue that fell behind the feed is evicted, and its client gets BAD_EVENT_QUEUE_ID', async t => {
  const rig = await startRig(t)
  const [a, b] = [await rig.worker(), await rig.worker()]
  const [one, two] = [await rig.queue(a, 1), await rig.queue(a, 1)]
  rig.write(a, [1, 2, 3], [1])
  await rig.settled(a)
  await rig.settled(b)
  await a.redis.command('XTRIM', `${rig.prefix}:feed:{${rig.org}}`, 'MAXLEN', 1)
  const fresh = await rig.worker()
  await t.rejects(rig.poll(fresh, one, 1, { last: -1 }), { code: 'BAD_EVENT_QUEUE_ID' })
  await until(() =>
    rig.poll(a, two, 1, { last: -1, dontBlock: true }).catch(error => error.code === 'BAD_EVENT_QUEUE_ID'),
  )
})

t.test('the feed is trimmed by size, never to nothing', async t => {
  const rig = await startRig(t, { feedMaxBytes: 20_000 })
  const worker = await rig.worker()
  const feed = `${rig.prefix}:feed:{${rig.org}}`
  rig.write(worker, [...Array(2000).keys()], [])
  await rig.settled(worker)
  await until(async () => Number(await worker.redis.command('XLEN', feed)) < 1000)
  t.ok(Number(await worker.redis.command('XLEN', feed)) > 0)
})

import t from 'tap'
import { keysOf } from '../../server/redis/keys.js'
import { FakeSocket, idsOf, numbersOf, rises, startRig, until } from './rig.js'

t.test('a waiting poll ends with a heartbeat, whatever event types it asked for', async t => {
  const rig = await startRig(t, { heartbeatSeconds: 0.1 })
  const worker = await rig.worker()
  rig.write(worker, [0], [2])
  await rig.settled(worker)
  const queue = await rig.queue(worker, 1, { eventTypes: [] })
  const [beat] = await rig.poll(worker, queue, 1, { last: -1 })
  t.equal(beat?.type, 'heartbeat')
  t.not((beat?.id ?? 0) % 16, 0)
  t.same(await rig.poll(worker, queue, 1, { last: -1 }), [beat], 'it comes again until it is acknowledged')
  const [next] = await rig.poll(worker, queue, 1, { last: beat?.id ?? 0 })
  t.equal(next?.type, 'heartbeat')
  t.ok((next?.id ?? 0) > (beat?.id ?? 0))
})

t.test('heartbeats and events share one rising sequence, also when an organization is idle for long', async t => {
  const rig = await startRig(t, { heartbeatSeconds: 0.05 }, { maintenanceMs: 10, queueLogMs: 10 })
  const worker = await rig.worker()
  const queue = await rig.queue(worker, 1)
  const socket = new FakeSocket()
  await worker.engine.attach(queue, 1, -1, socket)
  const beats = () => socket.events.filter(event => event.type === 'heartbeat').length
  // More heartbeats than there are ids between two events.
  await until(() => beats() > 20)
  rig.write(worker, [1, 2], [1])
  await until(() => socket.numbers.length === 2)
  const before = beats()
  await until(() => beats() > before)
  t.ok(rises(idsOf(socket.events)))
})

t.test('a heartbeat that is older than all of the feed does not make its queue incomplete', async t => {
  const rig = await startRig(t, { heartbeatSeconds: 1 }, { maintenanceMs: 10, leaseRenewalMs: 20 })
  const worker = await rig.worker()
  const queue = await rig.queue(worker, 1)
  const socket = new FakeSocket()
  await worker.engine.attach(queue, 1, -1, socket)
  await until(() => socket.events.length === 1)
  // The feed's first entry is not for this queue: several lease renewals and maintenance passes precede the next
  // heartbeat.
  rig.write(worker, [1], [2])
  await until(() => socket.events.length === 2 || socket.closed)
  t.notOk(socket.closed)
  t.ok(rises(idsOf(socket.events)))
})

t.test('a heartbeat that one worker sent is acknowledged at another', async t => {
  const rig = await startRig(t, { heartbeatSeconds: 0.1 })
  const [a, b] = [await rig.worker(), await rig.worker()]
  rig.write(a, [0], [2])
  await rig.settled(b)
  const queue = await rig.queue(a, 1)
  const [beat] = await rig.poll(a, queue, 1, { last: -1 })
  const [next] = await rig.poll(b, queue, 1, { last: beat?.id ?? 0 })
  t.equal(next?.type, 'heartbeat')
  t.ok((next?.id ?? 0) > (beat?.id ?? 0))
  rig.write(a, [1], [1])
  t.same(numbersOf(await rig.drain(a, queue, 1, { last: next?.id ?? 0, count: 1 })), [1])
})

t.test('a queue without a reader is evicted; one with a reader is not', async t => {
  const rig = await startRig(t, { heartbeatSeconds: 30 })
  const worker = await rig.worker()
  // Long enough for a reader to come.
  const idleSeconds = 2
  const read = await rig.queue(worker, 1, { idleSeconds })
  const poll = rig.poll(worker, read, 1, { last: -1 })
  const attached = await rig.queue(worker, 1, { idleSeconds })
  const socket = new FakeSocket()
  const attachment = await worker.engine.attach(attached, 1, -1, socket)
  // The last one: when its time is over, that of the others would be, too.
  const idle = await rig.queue(worker, 1, { idleSeconds })
  await until(() => worker.engine.stats().queues === 2)
  await t.rejects(rig.poll(worker, idle, 1, { last: -1 }), { code: 'BAD_EVENT_QUEUE_ID' })
  t.equal(await worker.redis.command('EXISTS', keysOf(rig.prefix, rig.org).meta(idle)), 0)
  rig.write(worker, [1], [1])
  t.same(numbersOf(await poll), [1])
  t.same(socket.numbers, [1])
  attachment.detach()
  await until(() => worker.engine.stats().queues === 0)
})

t.test('the keys of a queue have a time to live, and it is renewed', async t => {
  const rig = await startRig(t)
  const worker = await rig.worker()
  const queue = await rig.queue(worker, 1, { idleSeconds: 1000 })
  const ttl = async () => Number(await worker.redis.command('TTL', keysOf(rig.prefix, rig.org).meta(queue)))
  t.ok((await ttl()) > 1000)
  await worker.redis.command('EXPIRE', keysOf(rig.prefix, rig.org).meta(queue), 20)
  rig.write(worker, [1], [1])
  await until(async () => (await ttl()) > 1000)
})

t.test('a client that acknowledges at once costs Redis nothing', async t => {
  const rig = await startRig(t, {}, { maintenanceMs: 100, queueLogMs: 100 })
  const worker = await rig.worker()
  const queue = await rig.queue(worker, 1)
  const socket = new FakeSocket()
  const attachment = await worker.engine.attach(queue, 1, -1, socket)
  for (let n = 1; n <= 200; n++) {
    rig.write(worker, [n], [1])
    await until(() => socket.numbers.length === n)
    attachment.acknowledge(socket.events.at(-1)?.id ?? 0)
  }
  t.equal(await worker.redis.command('EXISTS', keysOf(rig.prefix, rig.org).log(queue)), 0)
})

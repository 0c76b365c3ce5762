import t from 'tap'
import type { EngineCounts } from '../../server/realtime/engine-counts.js'
import { FakeSocket, startRig, type Teardown, until } from './rig.js'

const start = async (t: Teardown) => {
  const rig = await startRig(t)
  const worker = await rig.worker()
  return { rig, worker, counts: worker.engine.counts }
}
const total = (counts: Float64Array) => counts.reduce((sum, count) => sum + count, 0)

/** Without the counts of a worker's own activity. */
const told = ({ published, json, msgpack, polled, heartbeats }: EngineCounts) => ({
  published,
  json,
  msgpack,
  polled,
  heartbeats,
})

t.test('an event counts once when it is published, and once for each of its readers', async t => {
  const { rig, worker, counts } = await start(t)
  const queues = [await rig.queue(worker, 1), await rig.queue(worker, 1), await rig.queue(worker, 2)]
  const [json, packed] = [new FakeSocket('json'), new FakeSocket('msgpack')]
  await worker.engine.attach(queues[0] as string, 1, -1, json)
  await worker.engine.attach(queues[1] as string, 1, -1, packed)
  const poll = rig.poll(worker, queues[2] as string, 2, { last: -1 })
  await until(() => worker.engine.stats().polls === 1)
  await rig.settled(worker)
  const before = told(counts)
  rig.write(worker, [1], [1, 2])
  await poll
  rig.write(worker, [2, 3], [1])
  await until(() => json.numbers.length === 3 && packed.numbers.length === 3)
  t.same(told(counts), {
    published: before.published + 3,
    json: before.json + 3,
    msgpack: before.msgpack + 3,
    polled: before.polled + 1,
    heartbeats: before.heartbeats,
  })
})

t.test('an event without an audience is published and not delivered', async t => {
  const { rig, worker, counts } = await start(t)
  const queue = await rig.queue(worker, 1)
  rig.write(worker, [1], [1, 2])
  await rig.settled(worker)
  t.match(told(counts), { json: 0, msgpack: 0, polled: 0 })
  t.equal(total(counts.toSockets.counts), 0)
  t.same((await rig.poll(worker, queue, 1, { last: -1 })).length, 1)
  t.equal(counts.polled, 1, 'it is when it is fetched')
  t.equal(total(counts.toPolls.counts), 0, 'but how long it lay there was not up to the server')
})

t.test('the delay is that of the feed, not of a reader who was away', async t => {
  const { rig, worker, counts } = await start(t)
  const queue = await rig.queue(worker, 1)
  rig.write(worker, [1, 2], [1])
  await rig.settled(worker)
  const socket = new FakeSocket()
  await worker.engine.attach(queue, 1, -1, socket)
  await until(() => socket.numbers.length === 2)
  t.equal(total(counts.toSockets.counts), 0, 'what it was given to catch up')
  rig.write(worker, [3], [1])
  await until(() => socket.numbers.length === 3)
  t.equal(total(counts.toSockets.counts), 1)
  t.ok(counts.toSockets.sum < 5, `by the same clock: ${counts.toSockets.sum}`)
  t.ok(total(counts.publishing.counts) >= 3)
})

t.test('a full socket is behind until it has caught up', async t => {
  const { rig, worker } = await start(t)
  const queue = await rig.queue(worker, 1)
  const socket = new FakeSocket('json', 1)
  const attachment = await worker.engine.attach(queue, 1, -1, socket)
  await until(() => worker.engine.stats().behind === 0)
  rig.write(worker, [1], [1])
  await until(() => socket.numbers.length === 1)
  rig.write(worker, [2], [1])
  await until(() => worker.engine.stats().behind === 1)
  socket.capacity = Number.POSITIVE_INFINITY
  attachment.drained()
  await until(() => worker.engine.stats().behind === 0)
  t.equal(worker.engine.stats().attached, 1)
})

t.test('a heartbeat is distinguished from other ids', async t => {
  const rig = await startRig(t, { heartbeatSeconds: 0.05 })
  const worker = await rig.worker()
  const socket = new FakeSocket()
  await worker.engine.attach(await rig.queue(worker, 1), 1, -1, socket)
  await until(() => socket.frames.length >= 2)
  t.ok(worker.engine.counts.heartbeats >= 2)
  t.equal(worker.engine.counts.json, worker.engine.counts.heartbeats)
})

t.test('a queue that changes hands is taken over once; one that is dropped is lost', async t => {
  const rig = await startRig(t, { queueMaxEvents: 3 })
  const [a, b] = [await rig.worker(), await rig.worker()]
  const queue = await rig.queue(a, 1)
  t.equal(a.engine.counts.registered, 1)
  await rig.poll(b, queue, 1, { last: -1, dontBlock: true })
  t.equal(b.engine.counts.takenOver, 1)
  t.equal(a.engine.counts.takenOver, 0)
  rig.write(b, [1, 2, 3, 4], [1])
  await until(() => b.engine.counts.lost === 1)
})

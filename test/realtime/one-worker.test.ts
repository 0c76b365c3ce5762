import t from 'tap'
import type { PollAnswer, RequestSignal } from '../../server/realtime/realtime.js'
import { ApiError } from '../../shared/errors.js'
import { FakeSocket, idsOf, numbersOf, type Rig, rises, startRig, type Teardown, until, type Worker } from './rig.js'

const start = async (t: Teardown): Promise<{ rig: Rig; worker: Worker }> => {
  const rig = await startRig(t)
  return { rig, worker: await rig.worker() }
}

t.test('a poll waits for an event and is answered with it', async t => {
  const { rig, worker } = await start(t)
  const queue = await rig.queue(worker, 1)
  const answer = rig.poll(worker, queue, 1, { last: -1 })
  rig.write(worker, [1], [1])
  const events = await answer
  t.match(events, [{ type: 'noted', n: 1 }])
  t.equal((events[0]?.id ?? 0) % 16, 0)
  t.ok(Number.isSafeInteger(events[0]?.id))
})

t.test('what is not acknowledged comes again, in full', async t => {
  const { rig, worker } = await start(t)
  const queue = await rig.queue(worker, 1)
  rig.write(worker, [1, 2, 3], [1])
  await rig.settled(worker)
  const first = await rig.poll(worker, queue, 1, { last: -1 })
  t.same(numbersOf(first), [1, 2, 3])
  t.same(await rig.poll(worker, queue, 1, { last: -1 }), first)
  t.same(numbersOf(await rig.poll(worker, queue, 1, { last: first[1]?.id ?? 0 })), [3])
  t.same(await rig.poll(worker, queue, 1, { last: first[2]?.id ?? 0, dontBlock: true }), [])
})

t.test('a poll that does not block is answered at once, also with nothing', async t => {
  const { rig, worker } = await start(t)
  const queue = await rig.queue(worker, 1)
  t.same(await rig.poll(worker, queue, 1, { last: -1, dontBlock: true }), [])
})

t.test('only the audience gets an event', async t => {
  const { rig, worker } = await start(t)
  const [mine, theirs] = [await rig.queue(worker, 1), await rig.queue(worker, 2)]
  rig.write(worker, [1], [1])
  rig.write(worker, [2], [2])
  rig.write(worker, [3], [1, 2, 3])
  await rig.settled(worker)
  t.same(numbersOf(await rig.poll(worker, mine, 1, { last: -1 })), [1, 3])
  t.same(numbersOf(await rig.poll(worker, theirs, 2, { last: -1 })), [2, 3])
})

t.test('last_event_id is checked', async t => {
  const { rig, worker } = await start(t)
  const queue = await rig.queue(worker, 1)
  rig.write(worker, [1, 2, 3], [1])
  await rig.settled(worker)
  const ids = idsOf(await rig.poll(worker, queue, 1, { last: -1 })) as [number, number, number]
  const refused = (id: number) =>
    t.rejects(rig.poll(worker, queue, 1, { last: id, dontBlock: true }), { code: 'BAD_REQUEST' })
  await refused(ids[2] + 16)
  await refused(ids[0] - 16)
  for (const noHeartbeat of [ids[2] + 1, ids[2] + 15]) await refused(noHeartbeat)
  await refused(0)
  await rig.poll(worker, queue, 1, { last: ids[1], dontBlock: true })
  await refused(ids[0])
  await refused(-1)
  t.same(
    idsOf(await rig.poll(worker, queue, 1, { last: ids[1], dontBlock: true })),
    [ids[2]],
    'a refusal changes nothing',
  )
})

t.test("an unknown queue and another user's are refused alike", async t => {
  const { rig, worker } = await start(t)
  const queue = await rig.queue(worker, 1)
  const unknown = 'e2f5b7a0-0000-4000-8000-000000000000'
  for (const [id, user] of [
    [unknown, 1],
    [queue, 2],
  ] as const) {
    const error = await rig.poll(worker, id, user, { last: -1, dontBlock: true }).catch(error => error)
    t.ok(error instanceof ApiError)
    t.match(error, { code: 'BAD_EVENT_QUEUE_ID', status: 400, fields: { queue_id: id } })
    await t.rejects(worker.engine.attach(id, user, -1, new FakeSocket()), { code: 'BAD_EVENT_QUEUE_ID' })
    await t.rejects(worker.engine.drop(id, user), { code: 'BAD_EVENT_QUEUE_ID' })
  }
})

t.test('a newer poll ends the older one at once', async t => {
  const { rig, worker } = await start(t)
  const queue = await rig.queue(worker, 1)
  const older = rig.poll(worker, queue, 1, { last: -1 })
  await until(() => worker.engine.stats().polls === 1)
  const newer = rig.poll(worker, queue, 1, { last: -1 })
  t.same(await older, [])
  rig.write(worker, [1], [1])
  t.same(numbersOf(await newer), [1])
})

t.test('a poll whose client is gone frees the queue', async t => {
  const { rig, worker } = await start(t)
  const queue = await rig.queue(worker, 1)
  const gone = new AbortController()
  const answer = worker.engine.poll(queue, 1, -1, { dontBlock: false, signal: gone.signal })
  await until(() => worker.engine.stats().polls === 1)
  gone.abort()
  t.same((await answer).events, [])
  t.equal(worker.engine.stats().polls, 0)
})

t.test('a poll that can wait at once needs no promise, acknowledges, and ends once', async t => {
  const { rig, worker } = await start(t)
  const queue = await rig.queue(worker, 1)
  rig.write(worker, [1, 2], [1])
  await rig.settled(worker)
  const answers: number[][] = []
  const receiver = {
    answered: ({ events }: PollAnswer) => answers.push(numbersOf(events.map(event => JSON.parse(event)))),
    failed: (error: Error) => t.fail(error.message),
  }
  const here = (last: number, id = queue, user = 1, signal: RequestSignal = new AbortController().signal) =>
    worker.engine.pollHere(id, user, last, { ...receiver, signal })

  t.ok(here(-1))
  t.same(answers, [], 'the answer comes in a later turn')
  await until(() => answers.length === 1)
  const [first, second] = idsOf(await rig.poll(worker, queue, 1, { last: -1 })) as [number, number]
  t.ok(here(first))
  await until(() => answers.length === 2)
  t.same(answers, [[1, 2], [2]])

  const left = new AbortController()
  left.abort()
  t.notOk(here(second, queue, 1, left.signal), 'its client is gone')
  t.notOk(here(-1), 'an older event is acknowledged')
  t.notOk(here(second + 16), 'the queue never issued this id')
  t.notOk(here(second, queue, 2), 'it is the queue of another user')
  t.notOk(here(second, 'e2f5b7a0-0000-4000-8000-000000000000'), 'there is no such queue')
  t.same(idsOf(await rig.poll(worker, queue, 1, { last: first })), [second], 'a refusal changes nothing')

  t.ok(here(second))
  t.ok(here(second), 'a newer poll')
  rig.write(worker, [3], [1])
  await until(() => answers.length === 4)
  t.same(answers.slice(2), [[], [3]])
})

t.test('a socket gets what waits and then what comes, in order', async t => {
  const { rig, worker } = await start(t)
  const queue = await rig.queue(worker, 1)
  rig.write(worker, [1, 2], [1])
  await rig.settled(worker)
  const socket = new FakeSocket()
  const attachment = await worker.engine.attach(queue, 1, -1, socket)
  t.same(socket.frames, [], 'the first frame comes in a later turn')
  rig.write(worker, [3, 4, 5], [1])
  await until(() => socket.numbers.length === 5)
  t.same(socket.numbers, [1, 2, 3, 4, 5])
  t.ok(rises(idsOf(socket.events)))
  attachment.acknowledge(socket.events[3]?.id ?? 0)
  t.throws(() => attachment.acknowledge((socket.events[4]?.id ?? 0) + 16), { code: 'BAD_REQUEST' })
  attachment.detach()
  t.same(numbersOf(await rig.poll(worker, queue, 1, { last: socket.events[3]?.id ?? 0 })), [5])
})

t.test('events that come together go in one frame', async t => {
  const { rig, worker } = await start(t)
  const queue = await rig.queue(worker, 1)
  const socket = new FakeSocket()
  await worker.engine.attach(queue, 1, -1, socket)
  rig.write(worker, [0], [1])
  await until(() => socket.frames.length === 1)
  worker.engine.publish([1, 2, 3, 4, 5, 6].map(n => rig.commit(n, [1])))
  await until(() => socket.numbers.length === 7)
  t.equal(socket.frames.length, 2)
})

t.test('both codecs carry the same events', async t => {
  const { rig, worker } = await start(t)
  const sockets = [new FakeSocket('json'), new FakeSocket('msgpack')]
  for (const socket of sockets) await worker.engine.attach(await rig.queue(worker, 1), 1, -1, socket)
  rig.write(worker, [...Array(40).keys()], [1])
  await until(() => sockets.every(socket => socket.numbers.length === 40))
  t.same(sockets[1]?.events, sockets[0]?.events)
})

t.test('a newer reader takes the place of a socket', async t => {
  const { rig, worker } = await start(t)
  const queue = await rig.queue(worker, 1)
  const [older, newer] = [new FakeSocket(), new FakeSocket()]
  const attachment = await worker.engine.attach(queue, 1, -1, older)
  await worker.engine.attach(queue, 1, -1, newer)
  await until(() => older.closed)
  t.equal(older.closed?.code, 4009)
  attachment.detach()
  rig.write(worker, [1], [1])
  await until(() => newer.numbers.length === 1)
  t.same(older.frames, [])
  t.equal(worker.engine.stats().attached, 1)
})

t.test('a dropped queue ends its readers', async t => {
  const { rig, worker } = await start(t)
  const [polled, attached] = [await rig.queue(worker, 1), await rig.queue(worker, 1)]
  const poll = rig.poll(worker, polled, 1, { last: -1 })
  const socket = new FakeSocket()
  await worker.engine.attach(attached, 1, -1, socket)
  const refused = t.rejects(poll, { code: 'BAD_EVENT_QUEUE_ID' })
  await until(() => worker.engine.stats().polls === 1)
  await worker.engine.drop(polled, 1)
  await worker.engine.drop(attached, 1)
  await refused
  await until(() => socket.closed)
  t.equal(socket.closed?.code, 4010)
  await t.rejects(rig.poll(worker, polled, 1, { last: -1 }), { code: 'BAD_EVENT_QUEUE_ID' })
})

t.test('a revoked user loses sockets, polls and queues', async t => {
  const { rig, worker } = await start(t)
  const [polled, attached] = [await rig.queue(worker, 1), await rig.queue(worker, 1)]
  const poll = rig.poll(worker, polled, 1, { last: -1 })
  const socket = new FakeSocket()
  await worker.engine.attach(attached, 1, -1, socket)
  await until(() => worker.engine.stats().polls === 1)
  const refused = t.rejects(poll, { code: 'UNAUTHORIZED' })
  worker.engine.revoke(1)
  await refused
  await until(() => socket.closed)
  t.equal(socket.closed?.code, 4001)
  t.equal(worker.engine.stats().queues, 0)
  await until(() =>
    rig.poll(worker, polled, 1, { last: -1, dontBlock: true }).then(
      () => false,
      error => error.code === 'BAD_EVENT_QUEUE_ID',
    ),
  )
})

t.test('listeners get every entry before its delivery', async t => {
  const { rig, worker } = await start(t)
  const queue = await rig.queue(worker, 1)
  const socket = new FakeSocket()
  await worker.engine.attach(queue, 1, -1, socket)
  const heard: [string, object, number][] = []
  worker.engine.onEntry(({ name, payload }) => heard.push([name, payload, socket.frames.length]))
  rig.write(worker, [7], [1])
  rig.write(worker, [8], [99])
  await until(() => heard.length === 2)
  t.same(heard, [
    ['noted', { n: 7 }, 0],
    ['noted', { n: 8 }, heard[1]?.[2]],
  ])
})

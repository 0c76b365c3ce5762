import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { FakeSocket, idsOf, numbersOf, rises, startRig, until, type Worker } from './rig.js'

t.test('I1: a worker dies and its queue is taken over: every event once, in order', async t => {
  const rig = await startRig(t)
  const [a, b] = [await rig.worker(), await rig.worker()]
  const queue = await rig.queue(a, 1)
  const socket = new FakeSocket()
  const attachment = await a.engine.attach(queue, 1, -1, socket)
  rig.write(a, [0, 1, 2, 3, 4], [1, 2, 3])
  await until(() => socket.numbers.length === 5)
  attachment.acknowledge(idsOf(socket.events)[2] ?? 0)
  rig.write(a, [5, 6], [1])
  await until(() => socket.numbers.length === 7)
  await a.kill()
  rig.write(b, [7, 8], [1])
  // The client has handled 0 to 4; 5 and 6 were sent and are lost on the way.
  const resumed = new FakeSocket()
  await b.engine.attach(queue, 1, idsOf(socket.events)[4] ?? 0, resumed)
  rig.write(b, [9], [1])
  await until(() => resumed.numbers.length === 5)
  t.same(resumed.numbers, [5, 6, 7, 8, 9])
  t.ok(rises([...idsOf(socket.events).slice(0, 5), ...idsOf(resumed.events)]))
})

t.test('I1: what a queue held when its worker died is whole after several deaths', async t => {
  const rig = await startRig(t)
  let worker = await rig.worker()
  const queue = await rig.queue(worker, 1)
  const numbers = [...Array(60).keys()]
  for (let death = 0; death < 4; death++) {
    const next = await rig.worker()
    rig.write(worker, numbers.slice(15 * death, 15 * death + 15), [1])
    // Some of the events are in the queue log by then, some only in the feed.
    if (death % 2 === 0) await rig.settled(worker)
    await rig.settled(next)
    await until(() => rig.outbox.lastId >= 15 * (death + 1))
    if (death < 3)
      t.same(
        numbersOf(await rig.drain(next, queue, 1, { last: -1, count: 15 * (death + 1) })).slice(0, 15),
        numbers.slice(0, 15),
      )
    await worker.kill()
    worker = next
  }
  const events = await rig.poll(worker, queue, 1, { last: -1 })
  t.same(numbersOf(events), numbers)
  t.ok(rises(idsOf(events)))
})

t.test('I1: queues of a dead worker are adopted, and their logs go on', async t => {
  const rig = await startRig(t)
  const [a, b] = [await rig.worker(), await rig.worker()]
  const queues = await Promise.all([1, 2, 3, 4, 5].map(user => rig.queue(a, user)))
  rig.write(a, [1, 2], [1, 2, 3, 4, 5])
  await rig.settled(a)
  await a.kill()
  await until(() => b.engine.stats().queues === 5)
  rig.write(b, [3], [1, 2, 3, 4, 5])
  for (const [i, queue] of queues.entries()) {
    t.same(numbersOf(await rig.drain(b, queue, i + 1, { last: -1, count: 3 })), [1, 2, 3])
  }
})

t.test('a worker that stops ends its sweep first, and nothing is left to it afterwards', async t => {
  const rig = await startRig(t)
  const a = await rig.worker()
  const order: string[] = []
  let goOn = () => {}
  const held = new Promise<void>(resolve => {
    goOn = resolve
  })
  const pending = rig.outbox.pending.bind(rig.outbox)
  let isHeld = false
  rig.outbox.pending = async (...args) => {
    isHeld = true
    await held
    order.push('swept')
    return pending(...args)
  }
  await until(() => isHeld)
  const stopping = a.stop().then(() => order.push('stopped'))
  await sleep(100)
  goOn()
  await stopping
  t.same(order, ['swept', 'stopped'])
})

t.test('I1: the adopter dies, too', async t => {
  const rig = await startRig(t)
  const [a, b] = [await rig.worker(), await rig.worker()]
  const queue = await rig.queue(a, 1)
  rig.write(a, [1, 2], [1])
  await rig.settled(a)
  await a.kill()
  await until(() => b.engine.stats().queues === 1)
  rig.write(b, [3], [1])
  await rig.settled(b)
  await b.kill()
  const c = await rig.worker()
  t.same(numbersOf(await rig.drain(c, queue, 1, { last: -1, count: 3 })), [1, 2, 3])
})

t.test('I1: a worker dies between commit and publish: another one publishes, once', async t => {
  const rig = await startRig(t)
  const [a, b, c] = [await rig.worker(), await rig.worker(), await rig.worker()]
  const [first, second] = [await rig.queue(b, 1), await rig.queue(c, 1)]
  rig.write(a, [1], [1])
  await a.kill()
  rig.commit(2, [1])
  rig.commit(3, [1])
  b.engine.siblingDied()
  c.engine.siblingDied()
  const events = await rig.drain(b, first, 1, { last: -1, count: 3 })
  t.same(numbersOf(events), [1, 2, 3])
  t.same(await rig.drain(c, second, 1, { last: -1, count: 3 }), events)
  await until(() => rig.outbox.rows.size === 0)
  rig.write(b, [4], [1])
  t.same(numbersOf(await rig.poll(b, first, 1, { last: events.at(-1)?.id ?? 0 })), [4])
})

t.test('I1: unpublished rows are found without a notification', async t => {
  const rig = await startRig(t)
  const worker = await rig.worker()
  const queue = await rig.queue(worker, 1)
  rig.commit(1, [1])
  t.same(numbersOf(await rig.poll(worker, queue, 1, { last: -1 })), [1])
})

t.test('I1: publishing twice is harmless', async t => {
  const rig = await startRig(t)
  const [a, b] = [await rig.worker(), await rig.worker()]
  const queue = await rig.queue(a, 1)
  const rows = [1, 2, 3].map(n => rig.commit(n, [1]))
  for (const worker of [a, b, a]) worker.engine.publish(rows)
  rig.write(a, [4], [1])
  t.same(numbersOf(await rig.drain(a, queue, 1, { last: -1, count: 4 })), [1, 2, 3, 4])
  await until(() => rig.outbox.rows.size === 0)
})

t.test('I1: rows stay in the outbox until Redis cannot lose them any more', async t => {
  const rig = await startRig(t, {}, { outboxKeepMs: 1e9 })
  const worker = await rig.worker()
  const queue = await rig.queue(worker, 1)
  rig.write(worker, [1], [1])
  await rig.poll(worker, queue, 1, { last: -1 })
  await rig.settled(worker)
  t.equal(rig.outbox.rows.size, 1)
})

t.test('a worker that stops leaves its queues whole, to be adopted at once', async t => {
  const rig = await startRig(t, {}, { adoptAfterMs: 1e9 })
  const [a, b] = [await rig.worker(), await rig.worker()]
  const [attached, polled] = [await rig.queue(a, 1), await rig.queue(a, 2)]
  const socket = new FakeSocket()
  await a.engine.attach(attached, 1, -1, socket)
  const poll = rig.poll(a, polled, 2, { last: -1 })
  await until(() => a.engine.stats().polls === 1)
  rig.write(a, [1], [1])
  await until(() => socket.numbers.length === 1)
  a.engine.publish([rig.commit(2, [1])])
  await a.stop()
  t.same(await poll, [])
  t.equal(socket.closed?.code, 1012)
  await t.rejects(rig.poll(a, polled, 2, { last: -1 }), { code: 'SERVER_NOT_READY' })
  await until(() => b.engine.stats().queues === 2)
  t.same(numbersOf(await rig.drain(b, attached, 1, { last: -1, count: 2 })), [1, 2])
})

t.test('a worker that was taken for dead lets go of its queues, and their clients come back', async t => {
  const rig = await startRig(t)
  // The worker never renews its lease in time.
  const a = await rig.worker({ leaseMs: 100, leaseRenewalMs: 1e8, sweepMs: 1e8 })
  const queue = await rig.queue(a, 1)
  const socket = new FakeSocket()
  await a.engine.attach(queue, 1, -1, socket)
  const b = await rig.worker()
  await until(() => b.engine.stats().queues === 1)
  rig.write(b, [1], [1])
  await until(() => socket.closed)
  t.equal(socket.closed?.code, 1012)
  t.equal(a.engine.stats().queues, 0)
  t.same(numbersOf(await rig.drain(b, queue, 1, { last: -1, count: 1 })), [1])
})

t.test('I1: a worker dies before it has written any log: the feed has what was not acknowledged', async t => {
  const rig = await startRig(t, {}, { queueLogMs: 1e8 })
  const [a, b] = [await rig.worker(), await rig.worker()]
  const [queue, silent] = [await rig.queue(a, 1), await rig.queue(a, 2)]
  const socket = new FakeSocket()
  const attachment = await a.engine.attach(queue, 1, -1, socket)
  const numbers = [...Array(100).keys()]
  // A client that acknowledges each event immediately, up to the middle.
  for (const n of numbers) {
    rig.write(a, [n], [1, 2])
    await until(() => socket.numbers.length === n + 1)
    if (n < 50) attachment.acknowledge(socket.events[n]?.id ?? 0)
  }
  await a.kill()
  rig.write(b, [100], [1, 2])
  const resumed = new FakeSocket()
  await b.engine.attach(queue, 1, idsOf(socket.events)[49] ?? 0, resumed)
  await until(() => resumed.numbers.length === 51)
  t.same(resumed.events.slice(0, 50), socket.events.slice(50, 100), 'under the ids that they had')
  t.same(resumed.numbers, [...numbers.slice(50), 100])
  t.same(
    numbersOf(await rig.drain(b, silent, 2, { last: -1, count: 101 })),
    [...numbers, 100],
    'a queue that nobody ever read',
  )
})

/** The numbers in the order of the feed. */
function numbersHeard(worker: Worker): number[] {
  const numbers: number[] = []
  worker.engine.onEntry(({ payload }) => void numbers.push((payload as { n: number }).n))
  return numbers
}

t.test('a worker that starts publishes what others left before anything of its own', async t => {
  const rig = await startRig(t, {}, { sweepMs: 1e8 })
  const numbers = [...Array(400).keys()]
  for (const n of numbers) rig.commit(n, [1])
  const worker = await rig.worker()
  const heard = numbersHeard(worker)
  rig.write(worker, [400], [1])
  await until(() => heard.includes(400))
  t.same(heard, [...numbers, 400])
})

t.test('what goes behind the outbox comes after all that is older there, however much that is', async t => {
  const rig = await startRig(t, {}, { sweepMs: 1e8, outboxKeepMs: 1e8 })
  const worker = await rig.worker()
  const heard = numbersHeard(worker)
  let count = 0
  while (count < 12_000) rig.commit(count++, [])
  worker.engine.publishBehindOutbox([rig.commit(count++, [])])
  while (heard.length < 12_000) {
    rig.write(worker, [count++], [])
    worker.engine.siblingDied()
    const { length } = heard
    await until(() => heard.length > length && worker.engine.stats().unpublished === 0)
  }
  rig.write(worker, [count++], [])
  worker.engine.siblingDied()
  await until(() => heard.length === count)
  t.same(heard, [...heard.keys()])
})

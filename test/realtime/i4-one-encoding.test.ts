import t from 'tap'
import { counting, FakeSocket, idsOf, plainView, split, startRig, until, type Worker } from './rig.js'

t.test('I4: queues of one view cause one rendering, and sockets share one frame', async t => {
  const rig = await startRig(t)
  const { def, renders } = counting('counted')
  rig.define(def)
  const worker = await rig.worker()
  const sockets: FakeSocket[] = []
  const users = [...Array(50).keys()].map(i => i + 1)
  for (const user of users) {
    const socket = new FakeSocket(user % 2 ? 'json' : 'msgpack')
    sockets.push(socket)
    await worker.engine.attach(await rig.queue(worker, user), user, -1, socket)
  }
  await rig.settled(worker)
  rig.write(worker, [1], users, def)
  await until(() => sockets.every(socket => socket.frames.length === 1))
  t.equal(renders.count, 1)
  t.equal(new Set(sockets.map(socket => socket.frames[0])).size, 2, 'one for each codec')
})

t.test('I4: views that differ where it does not matter share an encoding, others do not', async t => {
  const rig = await startRig(t)
  const { def, renders } = counting('counted', {
    dependsOn: ['empty_topic_name'],
    render: ({ n }, view) => ({ n: view.empty_topic_name ? n : -n }),
  })
  rig.define(def)
  const worker = await rig.worker()
  const views = [
    plainView,
    { ...plainView, slim_presence: true },
    { ...plainView, empty_topic_name: true },
    { ...plainView, empty_topic_name: true, archived_channels: true },
  ]
  const sockets: FakeSocket[] = []
  for (const view of views) {
    const socket = new FakeSocket()
    sockets.push(socket)
    await worker.engine.attach(await rig.queue(worker, 1, { view }), 1, -1, socket)
  }
  await rig.settled(worker)
  rig.write(worker, [5], [1], def)
  await until(() => sockets.every(socket => socket.frames.length === 1))
  t.equal(renders.count, 2)
  t.same(
    sockets.map(socket => socket.numbers),
    [[-5], [-5], [5], [5]],
  )
})

t.test('I4: flags of single users and fields of one queue cost one encoding each', async t => {
  const rig = await startRig(t)
  const { def, renders } = counting('counted', { render: ({ n }) => ({ n, flags: [] }) })
  rig.define(def)
  const worker = await rig.worker()
  const users = [1, 2, 3, 4, 5, 6]
  const sockets: FakeSocket[] = []
  const queues: string[] = []
  for (const user of users) {
    const socket = new FakeSocket()
    sockets.push(socket)
    queues.push(await rig.queue(worker, user))
    await worker.engine.attach(queues[user - 1] as string, user, -1, socket)
  }
  await rig.settled(worker)
  const row = rig.commit(1, users, def, {
    perUser: [
      { users: [2, 3], fields: { flags: ['mentioned'] } },
      { users: [4, 5], fields: { flags: ['read'] } },
    ],
    local: { queueId: queues[3] as string, userId: 4, fields: { local_message_id: 'x' } },
  })
  worker.engine.publish([row])
  await until(() => sockets.every(socket => socket.frames.length === 1))
  t.equal(renders.count, 4, 'plain, mentioned, read, and the one queue')
  t.same(
    sockets.map(({ events: [event] }) => [event?.flags, event?.local_message_id]),
    [
      [[], undefined],
      [['mentioned'], undefined],
      [['mentioned'], undefined],
      [['read'], 'x'],
      [['read'], undefined],
      [[], undefined],
    ],
  )
})

t.test('an event in several pieces has rising ids, and what is acknowledged of it does not come again', async t => {
  const rig = await startRig(t)
  const worker = await rig.worker()
  const [pieces, whole] = [
    await rig.queue(worker, 1),
    await rig.queue(worker, 1, { view: { ...plainView, bulk_message_deletion: true } }),
  ]
  rig.write(worker, [1, 2], [1], split)
  await rig.settled(worker)
  const events = await rig.poll(worker, pieces, 1, { last: -1 })
  const ids = idsOf(events)
  t.same(
    events.map(event => event.n),
    [1.1, 1.2, 1.3, 2.1, 2.2, 2.3],
  )
  t.same(ids.map(id => id - (ids[2] as number)).slice(0, 3), [-2, -1, 0])
  t.ok((ids[3] as number) - (ids[2] as number) >= 16, 'the gap for heartbeats is free')
  t.same(idsOf(await rig.poll(worker, whole, 1, { last: -1 })), [ids[2], ids[5]])
  t.same(idsOf(await rig.poll(worker, pieces, 1, { last: ids[0] as number })), ids.slice(1))
  const socket = new FakeSocket()
  await worker.engine.attach(pieces, 1, ids[4] as number, socket)
  await until(() => socket.frames.length === 1)
  t.same(idsOf(socket.events), ids.slice(5))
})

t.test(
  'of an event in very many pieces each id is accepted, from the same worker, over a socket and from another one',
  async t => {
    // More ids than there are between two entries, so that some of them equal ids of entries.
    const width = 40
    const render = ({ n }: { n: number }) => [...Array(width).keys()].map(i => ({ n: n + i }))
    const wide = counting('wide', { width: () => width, render }).def
    const rig = await startRig(t)
    rig.define(wide)
    const [a, b] = [await rig.worker(), await rig.worker()]
    const queue = await rig.queue(a, 1)
    const others = await rig.queue(a, 2)
    rig.write(a, [1], [2])
    await rig.settled(a)
    rig.write(a, [100], [1], wide)
    await rig.settled(a)
    await rig.settled(b)
    const ids = idsOf(await rig.poll(a, queue, 1, { last: -1 }))
    const [theirs = 0] = idsOf(await rig.poll(a, others, 2, { last: -1 }))
    t.equal(ids.length, width)
    t.equal(ids.filter(id => id % 16 === 0).length, 3)
    const [first, last] = [ids[0] as number, ids.at(-1) as number]
    const refused = (worker: Worker, id: number) =>
      t.rejects(rig.poll(worker, queue, 1, { last: id, dontBlock: true }), { code: 'BAD_REQUEST' }, `${id - first}`)
    const socket = new FakeSocket()
    const attached = await a.engine.attach(queue, 1, -1, socket)
    for (const id of [theirs, last + 1, last + 16]) {
      t.throws(() => attached.acknowledge(id), { code: 'BAD_REQUEST' }, `${id - first}`)
      await refused(a, id)
    }
    const between = first - 1 - ((first - 1) % 16)
    t.throws(() => attached.acknowledge(between), { code: 'BAD_REQUEST' })
    await refused(a, between)
    // One after the other, alternating between the ways to read.
    for (let i = 0; i < width; i += 4) {
      const id = ids[i] as number
      const worker = [a, b, b][(i / 4) % 3] as Worker
      t.same(idsOf(await rig.poll(worker, queue, 1, { last: id, dontBlock: true })), ids.slice(i + 1))
      for (const at of [i + 1, i + 2, i + 3]) {
        const one = new FakeSocket()
        const reader = await worker.engine.attach(queue, 1, ids[at - 1] as number, one)
        await until(() => one.frames.length > 0)
        reader.acknowledge(ids[at] as number)
        t.same(idsOf(await rig.poll(worker, queue, 1, { last: ids[at] as number, dontBlock: true })), ids.slice(at + 1))
      }
    }
    // Worker b could not distinguish it from the id of a heartbeat that worker a sent.
    await refused(a, last + 1)
    await refused(a, first)
    // Acknowledgements reach Redis with the next flush of the queue log: worker b may hear of the last one only from the client.
    t.same(await rig.poll(b, queue, 1, { last, dontBlock: true }), [])
    await refused(b, first)
  },
)

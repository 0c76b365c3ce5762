import t from 'tap'
import { z } from 'zod'
import type { EmitOptions } from '../../server/realtime/emission.js'
import { encodeEmission } from '../../server/realtime/encoding/entry.js'
import { defineEvent } from '../../shared/events/event.js'
import { FakeSocket, number, numbersOf, other, plainView, startRig, until } from './rig.js'

t.test('a queue gets the event types that it asked for', async t => {
  const rig = await startRig(t)
  const worker = await rig.worker()
  const queues = {
    all: await rig.queue(worker, 1),
    none: await rig.queue(worker, 1, { eventTypes: [] }),
    some: await rig.queue(worker, 1, { eventTypes: ['other', 'unheard_of'] }),
  }
  rig.write(worker, [1], [1])
  rig.write(worker, [2], [1], other)
  await rig.settled(worker)
  t.same(numbersOf(await rig.poll(worker, queues.all, 1, { last: -1, dontBlock: true })), [1, 2])
  t.same(numbersOf(await rig.poll(worker, queues.none, 1, { last: -1, dontBlock: true })), [])
  t.same(numbersOf(await rig.poll(worker, queues.some, 1, { last: -1, dontBlock: true })), [2])
})

t.test('a view that does not get an event has nothing in its queue', async t => {
  const rig = await startRig(t)
  const def = defineEvent('modern', {
    doc: 'For some clients only.',
    fields: number,
    dependsOn: ['archived_channels'],
    render: (payload: { n: number }, view) => (view.archived_channels ? payload : null),
  })
  rig.define(def)
  const [a, b] = [await rig.worker(), await rig.worker()]
  const old = await rig.queue(a, 1)
  const modern = await rig.queue(a, 1, { view: { ...plainView, archived_channels: true } })
  rig.write(a, [1], [1], def)
  await rig.settled(a)
  await rig.settled(b)
  for (const worker of [a, b]) {
    t.same(await rig.poll(worker, old, 1, { last: -1, dontBlock: true }), [])
    t.same(numbersOf(await rig.poll(worker, modern, 1, { last: -1, dontBlock: true })), [1])
  }
})

t.test('I2: an event with an empty audience, or for servers, reaches no client', async t => {
  const rig = await startRig(t)
  rig.define(defineEvent('_internal', { doc: 'For servers.', fields: number }))
  const worker = await rig.worker()
  const queue = await rig.queue(worker, 1, { allPublicStreams: true })
  rig.write(worker, [1], [])
  rig.write(worker, [2], [1], rig.defs.get('_internal') as never)
  await rig.settled(worker)
  t.same(await rig.poll(worker, queue, 1, { last: -1, dontBlock: true }), [])
})

const message = defineEvent('message', {
  doc: 'A message.',
  fields: number.extend({
    message: z.object({
      type: z.string(),
      stream_id: z.int(),
      display_recipient: z.string(),
      subject: z.string(),
      sender_email: z.string(),
    }),
    flags: z.array(z.string()),
  }),
})

t.test('narrow, all public channels: message events that a queue wants', async t => {
  const rig = await startRig(t)
  rig.define(message)
  const [a, b] = [await rig.worker(), await rig.worker()]
  const queues = {
    all: await rig.queue(a, 1),
    channel: await rig.queue(a, 1, { narrow: { channel_ids: [7] } }),
    mentioned: await rig.queue(a, 1, { narrow: { is: ['mentioned'] } }),
    public: await rig.queue(a, 2, { allPublicStreams: true }),
    plain: await rig.queue(a, 2),
  }
  const send = (n: number, stream_id: number, audience: number[], options: EmitOptions = {}) => {
    const payload = {
      n,
      message: { type: 'stream', stream_id, display_recipient: 'c', subject: 's', sender_email: 'a@b' },
      flags: [],
    }
    const def = message as never
    a.engine.publish([rig.outbox.commit(encodeEmission({ def, payload, audience, ...options }), n)])
  }
  send(1, 7, [1])
  send(2, 8, [1], { perUser: [{ users: [1], fields: { flags: ['mentioned'] } }] })
  send(3, 7, [3], { publicReaders: [2] })
  send(4, 7, [1, 2], { publicReaders: [2] })
  send(6, 7, [3], { publicReaders: [4] })
  rig.write(a, [5], [1])
  await rig.settled(a)
  await rig.settled(b)
  for (const worker of [a, b]) {
    t.same(numbersOf(await rig.poll(worker, queues.all, 1, { last: -1, dontBlock: true })), [1, 2, 4, 5])
    t.same(
      numbersOf(await rig.poll(worker, queues.channel, 1, { last: -1, dontBlock: true })),
      [1, 4, 5],
      'a narrow is for messages',
    )
    const [mentioned] = await rig.poll(worker, queues.mentioned, 1, { last: -1, dontBlock: true })
    t.match(mentioned, { n: 2, flags: ['mentioned'], message: { id: 2 } })
    t.same(numbersOf(await rig.poll(worker, queues.public, 2, { last: -1, dontBlock: true })), [3, 4])
    t.same(numbersOf(await rig.poll(worker, queues.plain, 2, { last: -1, dontBlock: true })), [4])
  }
})

t.test('what a register answer shows is not delivered again, everything else is', async t => {
  const rig = await startRig(t)
  const [a, b] = [await rig.worker(), await rig.worker()]
  const rows = [1, 2, 3, 4].map(n => rig.commit(n, [1]))
  const xids = rows.map(row => Number(row.xid)) as [number, number, number, number]
  const { queueId } = await a.engine.register(rig.options(1), async () => {
    a.engine.publish(rows.slice(0, 2))
    a.engine.announce([{ def: other as never, payload: { n: 9 }, audience: [1] }])
    await rig.settled(a)
    // The snapshot shows the first and third transaction; the second was still running, the fourth began later.
    return { snapshot: `${xids[0] + 1}:${xids[2] + 1}:${xids[1]}` }
  })
  a.engine.publish(rows.slice(2))
  await rig.settled(a)
  await rig.settled(b)
  for (const worker of [a, b]) t.same(numbersOf(await rig.poll(worker, queueId, 1, { last: -1 })), [2, 9, 4])
})

t.test('a queue that began without a snapshot has everything since it was registered', async t => {
  const rig = await startRig(t)
  const worker = await rig.worker()
  rig.write(worker, [1], [1])
  await rig.settled(worker)
  const { queueId } = await worker.engine.register(rig.options(1), async () => {
    rig.write(worker, [2], [1])
    await rig.settled(worker)
    return { snapshot: null }
  })
  await t.rejects(rig.poll(worker, queueId, 2, { last: -1 }), { code: 'BAD_EVENT_QUEUE_ID' })
  t.same(numbersOf(await rig.poll(worker, queueId, 1, { last: -1 })), [2])
})

t.test('an event type that a worker does not know is skipped', async t => {
  const rig = await startRig(t)
  const worker = await rig.worker()
  const queue = await rig.queue(worker, 1)
  const socket = new FakeSocket()
  await worker.engine.attach(queue, 1, -1, socket)
  rig.write(worker, [1], [1], defineEvent('from_the_future', { doc: '', fields: number }))
  rig.write(worker, [2], [1])
  await until(() => socket.numbers.length === 1)
  t.same(socket.numbers, [2])
})

t.test('an event type that cannot be rendered does not stop the feed', async t => {
  const rig = await startRig(t)
  const broken = defineEvent('broken', {
    doc: '',
    fields: number,
    render() {
      throw new Error('no')
    },
  })
  rig.define(broken)
  const worker = await rig.worker()
  const queue = await rig.queue(worker, 1)
  rig.write(worker, [1], [1], broken)
  rig.write(worker, [2], [1])
  t.same(numbersOf(await rig.drain(worker, queue, 1, { last: -1, count: 1 })), [2])
})

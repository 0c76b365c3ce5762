import t from 'tap'
import { packOptions, unpackOptions } from '../../server/realtime/queues/queue-options.js'
import { packFacts, unpackFacts } from '../../server/realtime/queues/queue-store.js'
import { keysOf } from '../../server/redis/keys.js'
import { capabilityNames } from '../../shared/capabilities.js'
import { FakeSocket, numbersOf, plainView, type Rig, startRig, until, type Worker } from './rig.js'

const users = Array.from({ length: 300 }, (_, i) => i + 1)

/** A queue per user, with two unacknowledged numbers. */
async function manyQueues(rig: Rig, worker: Worker): Promise<string[]> {
  const queues = await Promise.all(users.map(user => rig.queue(worker, user)))
  rig.write(worker, [1, 2], users)
  return queues
}

t.test('I6: hundreds of queues that two workers claim at once end with one of them each, whole', async t => {
  const rig = await startRig(t)
  const [a, b, c] = [await rig.worker(), await rig.worker(), await rig.worker()]
  const queues = await manyQueues(rig, a)
  for (const worker of [a, b, c]) await rig.settled(worker)
  await Promise.all(
    users.flatMap((user, i) =>
      [b, c].map(worker => rig.poll(worker, queues[i] as string, user, { last: -1, dontBlock: true })),
    ),
  )
  rig.write(a, [3], users)
  for (const [i, user] of users.entries()) {
    const events = await rig.drain(i % 2 === 0 ? b : c, queues[i] as string, user, { last: -1, count: 3 })
    t.same(numbersOf(events), [1, 2, 3])
  }
  await until(() => [a, b, c].reduce((sum, worker) => sum + worker.engine.stats().queues, 0) === users.length)
})

t.test('I1: the clients of a dead worker come to two others at once, and each has everything once', async t => {
  const rig = await startRig(t)
  const [a, b, c] = [await rig.worker(), await rig.worker(), await rig.worker()]
  const queues = await manyQueues(rig, a)
  await rig.settled(a)
  await a.kill()
  rig.write(b, [3, 4], users)
  const sockets = users.map(() => new FakeSocket())
  await Promise.all(
    users.map((user, i) =>
      (i % 3 === 0 ? c : b).engine.attach(queues[i] as string, user, -1, sockets[i] as FakeSocket),
    ),
  )
  rig.write(b, [5], users)
  await until(() => sockets.every(({ numbers }) => numbers.length >= 5))
  for (const { numbers } of sockets) t.same(numbers, [1, 2, 3, 4, 5])
})

t.test(
  'I2: in one batch the right user gets the queue; a stranger and who comes for a deleted queue do not',
  async t => {
    const rig = await startRig(t)
    const [a, b] = [await rig.worker(), await rig.worker()]
    const queues = await manyQueues(rig, a)
    await rig.settled(b)
    const [mine, deleted, others] = queues as [string, string, string]
    await a.engine.drop(deleted, 2)
    const asked = [
      rig.poll(b, mine, 1, { last: -1 }),
      rig.poll(b, deleted, 2, { last: -1 }),
      rig.poll(b, others, 4, { last: -1 }),
      rig.poll(b, 'never there', 1, { last: -1 }),
      ...users.slice(10).map((user, i) => rig.poll(b, queues[i + 10] as string, user, { last: -1 })),
    ]
    const [first, ...rest] = await Promise.allSettled(asked)
    t.match(first, { status: 'fulfilled' })
    for (const refused of rest.slice(0, 3)) t.match(refused, { reason: { code: 'BAD_EVENT_QUEUE_ID' } })
    for (const answer of rest.slice(3)) t.match(answer, { status: 'fulfilled' })
    t.same(numbersOf(await rig.poll(a, others, 3, { last: -1 })), [1, 2], 'the stranger has not taken it away')
    const keys = keysOf(rig.prefix, rig.org)
    const owners = (await b.redis.command('HKEYS', keys.checkpoints)) as Buffer[]
    for (const owner of owners) {
      const listed = ((await b.redis.command('SMEMBERS', keys.queuesOf(String(owner)))) as Buffer[]).map(String)
      t.notOk(listed.includes(deleted) || listed.includes('never there'), 'nobody keeps an id without a queue')
    }
  },
)

t.test('I1: a queue that is deleted while it is claimed is gone for both', async t => {
  const rig = await startRig(t)
  const [a, b] = [await rig.worker(), await rig.worker()]
  const queues = await manyQueues(rig, a)
  await rig.settled(b)
  const outcomes = await Promise.allSettled(
    users.flatMap((user, i) => [
      rig.poll(b, queues[i] as string, user, { last: -1, dontBlock: true }),
      a.engine.drop(queues[i] as string, user),
    ]),
  )
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') t.match(outcome.reason, { code: 'BAD_EVENT_QUEUE_ID' })
  }
  for (const [i, user] of users.entries()) {
    await t.rejects(rig.poll(a, queues[i] as string, user, { last: -1, dontBlock: true }), {
      code: 'BAD_EVENT_QUEUE_ID',
    })
  }
  await until(() => a.engine.stats().queues + b.engine.stats().queues === 0)
})

t.test('Redis keeps a queue in one compact piece, whatever its client asked for', async t => {
  const rig = await startRig(t)
  const worker = await rig.worker()
  const { meta, log } = keysOf(rig.prefix, rig.org)
  const plain = await rig.queue(worker, 1)
  const eventTypes = ['message', 'reaction', 'subscription', 'update_message', 'update_message_flags', 'delete_message']
  const special = await rig.queue(worker, 1, {
    eventTypes,
    narrow: { topics: ['a topic with a long name', 'another'] },
  })
  for (const queue of [plain, special]) {
    t.equal(String(await worker.redis.command('OBJECT', 'ENCODING', meta(queue))), 'listpack')
  }
  t.ok(Number(await worker.redis.command('MEMORY', 'USAGE', meta(plain))) < 512)
  // An acknowledged queue has no log.
  rig.write(worker, [1], [1])
  const [event] = await rig.poll(worker, plain, 1, { last: -1 })
  await until(() => worker.redis.command('EXISTS', log(plain)))
  await rig.poll(worker, plain, 1, { last: event?.id ?? 0, dontBlock: true })
  await until(async () => (await worker.redis.command('EXISTS', log(plain))) === 0)
})

t.test('options and facts come back as they were', async t => {
  const given = {
    view: plainView,
    eventTypes: null,
    narrow: null,
    allPublicStreams: false,
    idleSeconds: 600,
  }
  const views = [
    plainView,
    ...capabilityNames.map(name => ({ ...plainView, [name]: true })),
    { ...plainView, apply_markdown: false },
    { ...plainView, client_gravatar: false },
    { ...plainView, slim_presence: true },
    { ...plainView, names_user_topic: true },
    { ...plainView, include_subscribers: 'true' as const },
    { ...plainView, include_subscribers: 'partial' as const },
  ]
  const all = [
    ...views.map(view => ({ ...given, view })),
    { ...given, allPublicStreams: true, idleSeconds: 0.5 },
    { ...given, eventTypes: [] },
    { ...given, eventTypes: ['message', 'reaction'], narrow: { is: ['dm' as const], topics: ['ä "quoted" topic'] } },
  ]
  for (const options of all) t.same(unpackOptions(packOptions(options)), options)
  t.equal(new Set(all.map(packOptions)).size, all.length, 'each has a text of its own')
  for (const snapshot of [null, '100:100:', '100:200:101,102,103']) {
    for (const options of [packOptions(given), 'ö '.repeat(40), 'x'.repeat(10_000)]) {
      const facts = { born: 1_700_000_000_000_000, snapshot, options }
      const pieces = Object.values(packFacts(facts))
      t.same(unpackFacts(Buffer.concat(pieces).toString()), facts)
    }
  }
})

import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import t from 'tap'
import { createLog } from '../../server/log.js'
import type { Entry, RawEntry } from '../../server/realtime/encoding/entry.js'
import { EngineCounts } from '../../server/realtime/engine-counts.js'
import { Tail } from '../../server/realtime/feed/tail.js'
import { loadFunctions } from '../../server/redis/functions.js'
import { keysOf } from '../../server/redis/keys.js'
import { numbersOf, type Rig, startRig, startRigWithRedis, until, type Worker } from './rig.js'

const never = 3_600_000

/** Two workers with a queue each, and a function that appends to the feed without a notification. */
async function setUp(rig: Rig) {
  const [a, b] = [await rig.worker(), await rig.worker()]
  const queues = [
    { worker: a, id: await rig.queue(a, 1) },
    { worker: b, id: await rig.queue(b, 1) },
  ]
  const functions = await loadFunctions(a.redis)
  const keys = keysOf(rig.prefix, rig.org)
  const appendSilently = async (n: number) => {
    const [run] = (await functions.call('run', [keys.run], [0])) as [Buffer]
    const { entry, outboxId, xid } = rig.commit(n, [1])
    const feed = [keys.feed, keys.seen, keys.run, `${keys.checkpoints}:of-others`]
    await functions.call('publish', feed, [run, 0, 'stranger', keys.entries, outboxId, 1, xid, '', entry])
  }
  return { a, b, keys, queues, appendSilently }
}

const subscribers = async ({ redis }: Worker, channel: string): Promise<number> =>
  ((await redis.command('PUBSUB', 'NUMSUB', channel)) as [Buffer, number])[1]

t.test('entries of other workers arrive without a read of the feed', async t => {
  const rig = await startRig(t, {}, { feedReadMs: never })
  const { a, b, queues } = await setUp(rig)
  for (let n = 0; n < 40; n++) rig.write(n % 2 ? a : b, [n], [1])
  for (const { worker, id } of queues) {
    const numbers = numbersOf(await rig.drain(worker, id, 1, { last: -1, count: 40 }))
    t.same(
      [...numbers].sort((x, y) => x - y),
      [...Array(40).keys()],
    )
  }
})

t.test('I1: an entry without notification is found with the next entry', async t => {
  const rig = await startRig(t, {}, { feedReadMs: never })
  const { a, b, queues, appendSilently } = await setUp(rig)
  rig.write(a, [0], [1])
  await rig.settled(b)
  await appendSilently(1)
  await appendSilently(2)
  rig.write(a, [3], [1])
  for (const { worker, id } of queues)
    t.same(numbersOf(await rig.drain(worker, id, 1, { last: -1, count: 4 })), [0, 1, 2, 3])
})

t.test('I1: an entry without notification is found by reading the feed, without another entry', async t => {
  const rig = await startRig(t)
  const { queues, appendSilently } = await setUp(rig)
  await appendSilently(1)
  for (const { worker, id } of queues) t.same(numbersOf(await rig.drain(worker, id, 1, { last: -1, count: 1 })), [1])
})

t.test('I1: a lost subscription is made again, and the entries published until then are read', async t => {
  const { rig } = await startRigWithRedis(t, {}, { feedReadMs: never })
  const { a, b, keys, queues } = await setUp(rig)
  const [channel] = ((await a.redis.command('PUBSUB', 'CHANNELS', `${keys.entries}*`)) as Buffer[]).map(String)
  await until(async () => (await subscribers(a, String(channel))) === 1)
  for (let round = 0; round < 5; round++) {
    rig.write(a, [3 * round], [1])
    await a.redis.command('CLIENT', 'KILL', 'TYPE', 'pubsub')
    rig.write(a, [3 * round + 1], [1])
    await sleep(round * 30)
    rig.write(b, [3 * round + 2], [1])
    await until(async () => (await subscribers(a, String(channel))) === 1)
  }
  for (const { worker, id } of queues) {
    const numbers = numbersOf(await rig.drain(worker, id, 1, { last: -1, count: 15 }))
    t.same(
      [...numbers].sort((x, y) => x - y),
      [...Array(15).keys()],
    )
  }
})

t.test('I1: a worker that fell behind the feed takes over no queue whose events it has not read', async t => {
  const rig = await startRig(t, {}, { feedReadMs: never, queueLogMs: never })
  const { a, b, keys, queues, appendSilently } = await setUp(rig)
  await rig.settled(a)
  const left = queues[1] as (typeof queues)[number]
  await b.kill()
  for (const n of [1, 2, 3]) await appendSilently(n)
  await a.redis.command('XTRIM', keys.feed, 'MAXLEN', 1)
  rig.write(a, [4], [1])
  await rig.settled(a)
  await t.rejects(rig.poll(a, left.id, 1, { last: -1, dontBlock: true }), { code: 'BAD_EVENT_QUEUE_ID' })
})

t.test('what cannot be read on the channel does no harm', async t => {
  const rig = await startRig(t, {}, { feedReadMs: never })
  const { a, b, keys, queues } = await setUp(rig)
  const channels = ((await a.redis.command('PUBSUB', 'CHANNELS', `${keys.entries}*`)) as Buffer[]).map(String)
  for (const [n, wrong] of ['', 'x', '1,2\n', '16,0,0,0,0,5\nabc', '16,0,0,0,16,0\n', '\n\n\n'].entries()) {
    for (const channel of channels) await a.redis.command('PUBLISH', channel, wrong)
    rig.write(n % 2 ? a : b, [n], [1])
    await rig.settled(a)
    await rig.settled(b)
  }
  for (const { worker, id } of queues)
    t.same(numbersOf(await rig.drain(worker, id, 1, { last: -1, count: 6 })), [0, 1, 2, 3, 4, 5])
})

t.test('I1: with notifications late, early, twice or never, each entry comes once and in order', async t => {
  const step = fc.record({
    count: fc.integer({ min: 1, max: 700 }),
    // The fate of the notification: order, repetition, or loss.
    fate: fc.constantFrom('told', 'told', 'backwards', 'twice', 'half', 'never'),
    waits: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async steps => {
      const stored: RawEntry[] = []
      const got: number[] = []
      let isHeld = false
      const feed = {
        read: (raw: RawEntry) => raw as Entry,
        after: async (after: number, count: number) => {
          await sleep(1)
          return stored.filter(({ id }) => id > after).slice(0, count) as Entry[]
        },
      }
      const log = createLog('silent', 'test')
      const sink = {
        deliver(entries: readonly Entry[]) {
          got.push(...entries.map(({ id }) => id))
          return isHeld ? sleep(2) : undefined
        },
      }
      const tail = new Tail({ counts: new EngineCounts(), log }, feed, 0, sink)
      tail.start()
      for (const { count, fate, waits } of steps) {
        isHeld = !isHeld
        const added = Array.from({ length: count }, (_, i): RawEntry => {
          const previous = 16 * (stored.length + i)
          return { id: previous + 16, previous, bytes: new Uint8Array(8000), outboxId: 0, xid: 0, messageId: 0 }
        })
        stored.push(...added)
        const receive = (entries: RawEntry[]) => tail.receive(entries, entries.at(-1)?.id ?? 0)
        if (fate === 'backwards') for (const entry of [...added].reverse()) receive([entry])
        else if (fate === 'half') for (const entry of added) entry.id % 32 === 0 && receive([entry])
        else if (fate !== 'never') receive(added)
        if (fate === 'twice') receive(added)
        if (waits) await sleep(1)
      }
      tail.look()
      await until(() => got.length >= stored.length)
      tail.stop()
      await sleep(8)
      t.same(
        got,
        stored.map(({ id }) => id),
        'all of them, once, in order',
      )
    }),
    { numRuns: 60 },
  )
})

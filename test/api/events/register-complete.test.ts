// I1: events during a waiting register request are in its state or in its queue, even if Redis has lost some.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import type { WorkerCtx } from '../../../server/ctx.js'
import { startRedis } from '../../../server/embedded/redis.js'
import { createLog } from '../../../server/log.js'
import type { EventDef } from '../../../shared/events/event.js'
import { SocketClient } from '../../protection/socket.js'
import { noted, until } from '../../realtime/rig.js'
import type { Person } from '../../support/people.js'
import { startServer, testOrganization } from '../../support/server.js'
import { type Services, services, type Teardown } from '../../support/services.js'

const count = 20
// More than the 16 MB of the feed that a worker keeps in memory.
const fillers = 20
const filler = { n: 0, text: 'x'.repeat(1024 * 1024) }
const params = { event_types: ['message'], fetch_event_types: ['message', 'update_message_flags', 'saved_snippets'] }

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
type Loose = any

/** A Redis that only this test uses. */
async function ownRedis(t: Teardown): Promise<Services> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-redis-'))
  const redis = await startRedis({ dataDir, log: createLog('silent', 'test') })
  t.teardown(async () => {
    await redis.stop()
    await rm(dataDir, { recursive: true, force: true })
  })
  return { ...(await services(t)), redisUrl: redis.url }
}

async function setUp(t: Teardown, given: Services) {
  const organization = await testOrganization(t, given)
  const server = await startServer(t, { LOG_LEVEL: 'silent' }, organization)
  const [writer, reader] = [await server.person(), await server.person()]
  for (const person of [writer, reader])
    await person.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'square' }] })
  const redis = new Redis(given.redisUrl)
  t.teardown(() => redis.disconnect())
  const send = async (text: string): Promise<number> =>
    (await writer.ok('POST', '/messages', { type: 'channel', to: 'square', topic: 'talk', content: text })).id
  return { server, reader, redis, send, keysOf: (what: string) => redis.keys(`${organization.schema}:${what}`) }
}

/** Publishes events without an audience until the worker's entry cache contains no earlier ones. */
async function forget({ realtime }: WorkerCtx): Promise<void> {
  let passed = 0
  realtime.onEntry(({ name }) => {
    if (name === noted.name) passed++
  })
  const def = noted as EventDef<object>
  for (let i = 0; i < fillers; i++) realtime.announce([{ def, payload: filler, audience: [] }])
  await until(() => passed === fillers)
}

type Scene = Awaited<ReturnType<typeof setUp>>

/**
 * Makes a register request wait for a lock after its snapshot while messages are sent, and then for `meanwhile`.
 * Returns the messages' ids and the answer.
 */
async function holdRegister<Answer>(scene: Scene, register: () => Promise<Answer>, meanwhile: () => Promise<unknown>) {
  const { server, send } = scene
  const ids: number[] = []
  let answer: Promise<Answer> | undefined
  await server.sql.begin(async tx => {
    await tx`lock table saved_snippets in access exclusive mode`
    answer = register()
    await until(async () => {
      const [waiting] = await tx`
        select 1 from pg_locks where relation = 'saved_snippets'::regclass and not granted`
      return waiting
    })
    while (ids.length < count) ids.push(await send(`number ${ids.length}`))
    await forget(server.ctx)
    await meanwhile()
  })
  return { ids, answer: (await answer) as Answer }
}

const rising = (ids: readonly number[]) => [...ids].sort((a, b) => a - b)
const shownBy = (state: Loose): number[] =>
  state.unread_msgs.streams.flatMap((stream: Loose) => stream.unread_message_ids)

/** Ids of the messages in the queue, up to this one. */
async function polled(person: Person, queue_id: string, last: number): Promise<number[]> {
  const ids: number[] = []
  for (let last_event_id = -1; !ids.includes(last); ) {
    const { events } = await person.ok('GET', '/events', { queue_id, last_event_id })
    last_event_id = events.at(-1).id
    ids.push(...events.filter((event: Loose) => event.type === 'message').map((event: Loose) => event.message.id))
  }
  return ids
}

/** Abandoned queues have left no keys. */
async function onlyQueue(t: Test, { server, keysOf }: Scene, queueId: string) {
  t.equal(server.ctx.realtime.stats().queues, 1)
  const metas = await keysOf('queue:*:meta')
  t.ok(metas.length === 1 && metas[0]?.includes(queueId), 'Redis has that queue alone')
}

async function checkPolled(t: Test, scene: Scene, meanwhile: () => Promise<unknown>) {
  const { ids, answer } = await holdRegister(scene, () => scene.reader.post('/register', params), meanwhile)
  t.equal(answer.status, 200)
  const last = await scene.send('the last one')
  const seen = [...shownBy(answer.body), ...(await polled(scene.reader, answer.body.queue_id, last))]
  t.same(seen, rising([...ids, last]))
  await onlyQueue(t, scene, answer.body.queue_id)
}

async function checkPushed(t: Test, scene: Scene, meanwhile: () => Promise<unknown>) {
  const socket = await SocketClient.open(scene.server.url, scene.reader)
  const register = () => socket.send({ op: 'register', id: 1, params }).reply(1)
  const { ids, answer } = await holdRegister(scene, register, meanwhile)
  t.equal(answer.status, 200)
  const last = await scene.send('the last one')
  const pushed = () =>
    socket.frames.flatMap(({ op, events }) => (op === 'events' ? events : [])).map((event: Loose) => event.message?.id)
  await until(() => pushed().includes(last) || socket.socket.readyState !== socket.socket.OPEN)
  t.same([...shownBy(answer.body), ...pushed()], rising([...ids, last]))
  t.equal(scene.server.ctx.realtime.stats().attached, 1)
  await onlyQueue(t, scene, answer.body.queue_id)
  socket.socket.terminate()
}

for (const check of [checkPolled, checkPushed]) {
  const over = check === checkPolled ? 'REST' : 'a socket'
  t.test(`a register over ${over} that waits while the feed is trimmed misses nothing`, async t => {
    const scene = await setUp(t, await services(t))
    await check(t, scene, async () => {
      const [feed = ''] = await scene.keysOf('feed:{*}')
      await scene.redis.xtrim(feed, 'MAXLEN', 1)
    })
  })

  t.test(`a register over ${over} that waits while Redis is emptied misses nothing`, async t => {
    const scene = await setUp(t, await ownRedis(t))
    await check(t, scene, () => scene.redis.flushall())
  })
}

// I1: a write that was acknowledged reaches every queue whose owner may see it: once, in order, ids strictly increasing.
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import t from 'tap'
import type { Person } from '../support/people.js'
import { childrenOf } from '../support/processes.js'
import { PollReader, sawAll } from '../support/readers.js'
import { ownServices } from '../support/redis.js'
import { spawnServer, type TestServer, testOrganization } from '../support/server.js'

/** A channel with readers, and a user who sends. */
async function scene(server: TestServer, readers: number) {
  const writer = await server.person()
  const people = await Promise.all(Array.from({ length: readers }, () => server.person()))
  await writer.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'square' }] })
  for (const person of people)
    await person.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'square' }] })
  return { writer, readers: await Promise.all(people.map(person => PollReader.register(person))) }
}

/** Sends until the server accepts the message: refused and lost requests were not acknowledged and do not count. */
async function say(writer: Person, content: string): Promise<number> {
  for (;;) {
    try {
      const { status, body } = await writer.post('/messages', { type: 'stream', to: 'square', topic: 'talk', content })
      if (status === 200) return body.id
    } catch {}
    await sleep(20)
  }
}

t.test('I1: SIGKILL of every worker between commit and publish', async t => {
  const organization = await testOrganization(t, await ownServices(t))
  const server = await spawnServer(t, { WORKERS: '2' }, organization)
  const redis = new Redis(organization.services.redisUrl)
  t.teardown(() => redis.disconnect())
  const { writer, readers } = await scene(server, 3)
  const sent = [await say(writer, 'before')]
  // Redis delays all writes, so a commit is acknowledged but its publish cannot happen.
  await redis.call('CLIENT', 'PAUSE', '60000', 'WRITE')
  sent.push(await say(writer, 'committed, not published'))
  const [stored] = await server.sql`select count(*)::int as rows from outbox`
  t.ok(stored?.rows >= 1, 'the event waits in the outbox')
  for (const worker of childrenOf(server.process.pid as number)) process.kill(worker, 'SIGKILL')
  await redis.call('CLIENT', 'UNPAUSE')
  sent.push(await say(writer, 'after'))
  for (const reader of readers) for (const id of sent) await reader.sees(id)
  for (const reader of readers) {
    sawAll(t, reader, sent)
    await reader.stop()
  }
})

t.test('I1: SIGKILL of one worker after another under load', async t => {
  const organization = await testOrganization(t, await ownServices(t))
  const server = await spawnServer(t, { WORKERS: '2' }, organization)
  const { writer, readers } = await scene(server, 5)
  const sent: number[] = []
  let done = false
  const writing = (async () => {
    for (let i = 0; !done; i++) sent.push(await say(writer, `number ${i}`))
  })()
  for (let round = 0; round < 4; round++) {
    await sleep(300)
    const workers = childrenOf(server.process.pid as number)
    const victim = workers[round % workers.length]
    if (victim) process.kill(victim, 'SIGKILL')
    // Wait for the replacement before killing the next worker: a server without any worker is another test.
    while (childrenOf(server.process.pid as number).length < 2) await sleep(50)
    await sleep(500)
  }
  done = true
  await writing
  for (const reader of readers) {
    await reader.sees(sent.at(-1) as number)
    for (const id of sent) await reader.sees(id)
    t.equal(reader.lost, undefined)
    sawAll(t, reader, sent)
    await reader.stop()
  }
})

t.test('I1: Redis killed and started again on its append-only file', async t => {
  const own = await ownServices(t)
  const server = await spawnServer(t, { WORKERS: '2' }, await testOrganization(t, own))
  const { writer, readers } = await scene(server, 3)
  const sent: number[] = []
  for (let i = 0; i < 5; i++) sent.push(await say(writer, `before ${i}`))
  const restarted = own.restartRedis()
  for (let i = 0; i < 5; i++) sent.push(await say(writer, `meanwhile ${i}`))
  await restarted
  for (let i = 0; i < 5; i++) sent.push(await say(writer, `after ${i}`))
  for (const reader of readers) {
    for (const id of sent) await reader.sees(id)
    t.equal(reader.lost, undefined)
    sawAll(t, reader, sent)
    await reader.stop()
  }
})

t.test('I1: PostgreSQL killed and started again', async t => {
  const own = await ownServices(t)
  const server = await spawnServer(t, { WORKERS: '2' }, await testOrganization(t, own))
  const { writer, readers } = await scene(server, 3)
  const sent = [await say(writer, 'before')]
  const restarted = own.restartPostgres()
  const during = await writer.post('/messages', { type: 'stream', to: 'square', topic: 'talk', content: 'during' })
  if (during.status === 200) sent.push(during.body.id)
  else t.equal(during.body.result, 'error', 'refused in the envelope')
  await restarted
  for (let i = 0; i < 3; i++) sent.push(await say(writer, `after ${i}`))
  for (const reader of readers) {
    for (const id of sent) await reader.sees(id)
    sawAll(t, reader, sent)
    await reader.stop()
  }
})

t.test('I1: a queue that Redis has truly lost is refused, never silently cut', async t => {
  const own = await ownServices(t)
  const organization = await testOrganization(t, own)
  const server = await spawnServer(t, { WORKERS: '1' }, organization)
  const { writer, readers } = await scene(server, 1)
  const reader = readers[0] as PollReader
  await reader.sees(await say(writer, 'seen'))
  await reader.stop()
  const redis = new Redis(organization.services.redisUrl)
  t.teardown(() => redis.disconnect())
  // Redis loses all data while no worker has the queue in memory.
  for (const worker of childrenOf(server.process.pid as number)) process.kill(worker, 'SIGKILL')
  await redis.flushall()
  await say(writer, 'while nobody looked')
  const last = reader.events.at(-1)?.id
  const answer = await reader.person.get('/events', { queue_id: reader.queueId, last_event_id: last, dont_block: true })
  t.equal(answer.status, 400)
  t.equal(answer.body.code, 'BAD_EVENT_QUEUE_ID')
  t.equal(answer.body.queue_id, reader.queueId)
})

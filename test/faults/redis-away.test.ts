// Redis is stopped, hangs, or loads its data, under load. Messages sent meanwhile are delivered afterwards; requests
// that need Redis are refused with SERVER_NOT_READY; others succeed.
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { Answer } from '../support/http.js'
import type { Person } from '../support/people.js'
import type { TestServer } from '../support/server.js'
import { begin } from './support/begin.js'
import { startStores } from './support/stores.js'
import { eventually } from './support/wait.js'

const awayMs = 10_000
// Longer than a worker's timeout for a command (server/redis/client.ts).
const hangMs = 12_000

/** A user with an older queue that no client reads. */
async function bystander(server: TestServer): Promise<{ person: Person; queueId: string; channelId: number }> {
  const person = await server.person()
  const { queue_id } = await person.ok('POST', '/register', { event_types: ['message'], fetch_event_types: [] })
  await person.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'own' }] })
  const { stream_id } = await person.ok('GET', '/get_stream_id', { stream: 'own' })
  return { person, queueId: queue_id, channelId: stream_id }
}

function notReady(t: Test, { status, headers, body }: Answer, what: string): void {
  t.match({ status, code: body.code }, { status: 503, code: 'SERVER_NOT_READY' }, `${what}: ${JSON.stringify(body)}`)
  t.equal(headers.get('retry-after'), '1', `${what} says when to try again`)
}

const queue = { event_types: ['message'], fetch_event_types: [] }
// A debugging option of Redis: delay in microseconds per key that it loads from its file.
const slowly = ['--key-load-delay', '1000', '--loading-process-events-interval-bytes', '1024']

t.test(
  'Redis is gone for ten seconds, hangs longer than a worker waits for it, and takes its time to read its data',
  async t => {
    const redisArgs: string[] = []
    const stores = await startStores(t, redisArgs)
    const { server, scene } = await begin(t, { workers: 2, stores })
    const { person, queueId, channelId } = await bystander(server)
    scene.send()
    await scene.passes(50)

    await stores.redis.stop()
    const away = sleep(awayMs)
    notReady(t, await person.post('/register', queue), 'register')
    notReady(t, await person.post('/users/me/presence', { status: 'active' }), 'presence')
    const unknown = { queue_id: '6cd9c1cc-43ab-4cf5-9a85-8fb5dd8e0ad7', last_event_id: -1, dont_block: true }
    notReady(t, await person.get('/events', unknown), 'a queue that this worker does not hold')
    const typing = { type: 'stream', op: 'start', stream_id: channelId, topic: 'talk' }
    t.equal((await person.post('/typing', typing)).status, 200, 'typing is taken; nobody hears of it')
    t.equal((await person.get('/messages', { anchor: 'newest', num_before: 5, num_after: 0 })).status, 200, 'reading')
    t.equal((await person.patch('/settings', { twenty_four_hour_time: true })).status, 200, 'changing')
    await scene.passes(10)
    await away
    await stores.redis.start()
    // Each worker reconnects separately, and the next request may reach another worker.
    const again = (what: string, ask: () => Promise<Answer>) =>
      eventually(what, async () => (await ask()).status === 200)
    await again('a register', () => person.post('/register', queue))
    await again('presence', () => person.post('/users/me/presence', { status: 'active' }))
    const old = { queue_id: queueId, last_event_id: -1, dont_block: true }
    await again('a queue of an earlier time', () => person.get('/events', old))
    await scene.arrives()

    stores.redis.freeze()
    const frozen = sleep(hangMs)
    notReady(t, await person.post('/register', queue), 'register')
    await scene.passes(10)
    await frozen
    stores.redis.thaw()
    await scene.arrives()

    await stores.redis.kill()
    redisArgs.push(...slowly)
    let isLoading = true
    const started = stores.redis.start().finally(() => {
      isLoading = false
    })
    const before = scene.ledger.count('acknowledged')
    let refusals = 0
    while (isLoading) {
      const answer = await person.post('/users/me/presence', { status: 'active' })
      if (answer.status !== 200) {
        notReady(t, answer, 'presence')
        refusals++
      }
      await sleep(100)
    }
    await started
    t.ok(refusals > 0, 'it is refused while Redis reads')
    t.ok(scene.ledger.count('acknowledged') > before, 'messages are sent meanwhile')
    await scene.settle(t)
    t.same(scene.ledger.failures(), {}, 'no sender noticed')
  },
)

// Clients learn of a new start of the server: each queue that outlives it gets one event `restart`, and none when a worker is replaced.
import t from 'tap'
import { spawnServer, testOrganization } from '../support/server.js'
import { serverSettings } from './support/begin.js'
import { eventually, seldom } from './support/wait.js'
import { listenersOn, signal, workersOf } from './support/workers.js'

interface Event {
  id: number
  type: string
}

t.test('each queue from before a restart gets one event, however many workers the server has and loses', async t => {
  const organization = await testOrganization(t)
  const start = () => spawnServer(t, serverSettings(2), organization)
  let server = await start()
  const owner = await server.person({ role: 100 })
  const register = async (event_types?: readonly string[]) => {
    const { body } = await server.api(owner).post('/register', { fetch_event_types: [], event_types })
    return String(body.queue_id)
  }
  const queues = [await register(), await register(), await register(['restart'])]
  const other = await register(['message'])
  const eventsOf = async (queue_id: string, last_event_id = -1): Promise<Event[]> => {
    let events: Event[] = []
    // A connection to a worker that was killed fails once.
    await eventually('an answer', async () => {
      const answer = await server
        .api(owner)
        .get('/events', { queue_id, last_event_id, dont_block: true })
        .catch(error => {
          if (!(error instanceof TypeError)) throw error
        })
      events = (answer?.body.events ?? []) as Event[]
      return answer?.status === 200
    })
    return events
  }
  const restarts = async (queue: string) => (await eventsOf(queue)).filter(({ type }) => type === 'restart')
  for (const queue of queues) t.same(await restarts(queue), [], 'the first start was before the queue')

  const replaceWorker = async (worker = 0) => {
    signal(worker, 'SIGKILL')
    await eventually('its end', () => !workersOf(server.process.pid).includes(worker))
    await eventually('another in its place', () => listenersOn(Number(new URL(server.url).port)) === 2, seldom)
  }
  for (const worker of workersOf(server.process.pid)) await replaceWorker(worker)
  for (const queue of queues) t.same(await restarts(queue), [], 'a worker was replaced, the server did not restart')

  const before = Math.floor(Date.now() / 1000)
  await server.stop()
  server = await start()
  const answer = await server.api(owner).post('/register', { fetch_event_types: ['realm'] })
  for (const queue of queues) {
    await eventually('the event', async () => (await restarts(queue)).length > 0)
    const [event, ...more] = await restarts(queue)
    t.same(more, [])
    t.match(event, {
      service_version: answer.body.service_version,
      service_merge_base: answer.body.service_merge_base,
      service_feature_level: answer.body.service_feature_level,
      server_generation: answer.body.server_generation,
    })
    t.ok(Number(answer.body.server_generation) >= before, 'UNIX seconds of the new start')
  }
  t.same(await restarts(String(answer.body.queue_id)), [], 'a queue that is newer than the start')
  t.same(await eventsOf(other), [], 'a queue of other event types')

  await replaceWorker(workersOf(server.process.pid)[0])
  for (const queue of queues) t.equal((await restarts(queue)).length, 1, 'its replacement announces nothing')
})

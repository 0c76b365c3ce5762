// A thousand clients disconnect at once and reconnect to any worker: none is refused, none loses an event.
import t from 'tap'
import { begin } from './support/begin.js'
import { ClientReader } from './support/client-reader.js'
import { eventually } from './support/wait.js'
import { signal, workersOf } from './support/workers.js'

const people = 40
const clientsEach = 25
const count = people * clientsEach

t.test('a thousand clients come back at once', async t => {
  // Few messages, because each is delivered to all clients.
  const { server, scene } = await begin(t, { workers: 3, senders: 3, pauseMs: 50 })
  const crowd: ClientReader[] = []
  const pauses: number[] = []
  for (let i = 0; i < people; i++) {
    const { person, sees } = await scene.follower()
    const readers = await Promise.all(
      Array.from({ length: clientsEach }, (_, n) =>
        // With an application's delays and acknowledgements.
        ClientReader.start(`client ${i}.${n}`, sees, person, {
          codec: n % 2 === 0 ? 'json' : 'msgpack',
          options: {
            ack: {},
            backoff: {},
          },
        }),
      ),
    )
    crowd.push(...readers)
  }
  for (const reader of crowd) {
    reader.client.observe('state', ({ retryInMs }) => retryInMs !== undefined && pauses.push(retryInMs))
  }
  scene.readers.push(...crowd)
  const isLive = () => crowd.every(({ client }) => client.state === 'live')
  scene.send()
  await scene.passes(20)

  for (const { sockets } of crowd) for (const socket of sockets) socket.terminate()
  await eventually('that all notice', () => crowd.every(({ closings }) => closings[1006] === 1))
  await eventually('that all are back', isLive)
  await scene.passes(20)
  const tries = crowd.map(({ closings }) => JSON.stringify(closings))
  t.same([...new Set(tries)], ['{"1006":1}'], 'each came back at its first attempt')
  t.equal(pauses.length, count)
  t.ok(Math.min(...pauses) < 50 && Math.max(...pauses) > 450, 'spread over half a second')

  signal(workersOf(server.process.pid)[0] as number, 'SIGKILL')
  await scene.passes(20)
  await eventually('that all are back once more', isLive)
  await scene.settle(t)
  t.notOk(crowd.some(({ closings }) => Object.keys(closings).some(code => code !== '1006')))
})

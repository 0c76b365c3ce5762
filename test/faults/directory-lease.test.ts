// A worker that is stopped or killed while it may answer from memory: a change through another worker waits for its lease.
import t from 'tap'
import { Api } from '../support/http.js'
import { spawnServer, type TestServer } from '../support/server.js'
import { rounds } from './support/amounts.js'
import { eventually } from './support/wait.js'
import { signal, workersOf } from './support/workers.js'

const times = 10 * rounds
const first = await spawnServer(t)
const second = await spawnServer(t, {}, first.organization)
const owner = await first.person({ role: 100 })

const at = (server: TestServer) => new Api(server.url, owner)
const nameAt = async (server: TestServer) => (await at(server).ok('GET', '/users/me')).full_name
const rename = (name: string) => at(first).ok('PATCH', `/users/${owner.id}`, { full_name: name })

t.test('a worker that was stopped continues with what has changed meanwhile', async t => {
  const [worker] = workersOf(second.process.pid) as [number]
  for (let round = 0; round < times; round++) {
    await nameAt(second)
    signal(worker, 'SIGSTOP')
    await rename(`Stopped ${round}`)
    signal(worker, 'SIGCONT')
    t.equal(await nameAt(second), `Stopped ${round}`)
  }
})

t.test('a killed worker does not keep changes waiting for long', async t => {
  const [worker] = workersOf(second.process.pid) as [number]
  await nameAt(second)
  signal(worker, 'SIGKILL')
  await rename('Killed')
  t.equal(await nameAt(first), 'Killed')
  await eventually('that another has taken its place', async () => {
    const answer = await at(second)
      .get('/users/me')
      .catch(() => undefined)
    return answer?.body.full_name === 'Killed'
  })
})

// Three servers as on three machines, each with its own supervisor, workers and port, behind a TCP balancer: clients
// connect to any server and reconnect to another. Under load one server is removed and another one added.
import t, { type Test } from 'tap'
import { Balancer } from '../support/balancer.js'
import { Api } from '../support/http.js'
import { createPerson } from '../support/people.js'
import { spawnServer, type TestServer, testOrganization } from '../support/server.js'
import { rounds } from './support/amounts.js'
import { randomOf, serverSettings, startScene } from './support/begin.js'
import { ClientReader } from './support/client-reader.js'
import { PlainReader } from './support/plain-reader.js'
import { PollReader } from './support/poll-reader.js'
import { signal, workersOf } from './support/workers.js'

type Spawned = Awaited<ReturnType<typeof spawnServer>>

async function behindBalancer(t: Test) {
  const random = randomOf(t)
  const organization = await testOrganization(t)
  const balancer = await Balancer.start(t)
  const add = async (): Promise<Spawned> => {
    const settings = serverSettings(1, { LINGER_SECONDS: '5', HEARTBEAT_SECONDS: '2' })
    const server = await spawnServer(t, settings, organization)
    balancer.add(server)
    return server
  }
  const servers = await Promise.all([add(), add(), add()])
  const { url } = balancer
  const front: TestServer = {
    url,
    organization,
    sql: organization.sql,
    person: options => createPerson(organization.sql, url, options),
    api: who => new Api(url, who),
  }
  const scene = await startScene(t, front, { random })
  scene.send()
  await scene.passes(100)
  return { balancer, servers, add, scene }
}

t.test('servers are taken away and added, and a machine dies', async t => {
  const { balancer, servers, add, scene } = await behindBalancer(t)
  for (const server of servers.slice(0, rounds)) {
    const successor = await add()
    balancer.remove(server)
    server.process.kill('SIGTERM')
    await server.stop()
    await scene.passes(100)
    t.ok((balancer.given.get(Number(new URL(successor.url).port)) ?? 0) > 0, 'the new one has clients')
  }
  await scene.arrives()
  t.same(scene.ledger.failures(), {}, 'every message was answered')
  for (const reader of scene.readers) {
    if (reader instanceof PollReader) t.same(reader.failures, {}, `${reader.name}: every poll was answered`)
    if (reader instanceof ClientReader || reader instanceof PlainReader) {
      t.match(Object.keys(reader.closings).join(), /^(1012)?$/, `${reader.name}: its sockets were closed with 1012`)
    }
  }
  for (const server of servers.slice(rounds, 2 * rounds)) {
    // Kills supervisor and workers at once; the balancer detects it by refused connections.
    const { pid } = server.process
    for (const one of [pid as number, ...workersOf(pid)]) signal(one, 'SIGKILL')
    await scene.passes(100)
    balancer.remove(server)
    await add()
  }
  await scene.passes(100)
  await scene.settle(t)
})

// The network between one of two workers and PostgreSQL breaks during commits, and recovers: acknowledged messages are
// stored, refused ones are not, unanswered ones may be; and the worker survives.
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { spawnServer, testOrganization } from '../support/server.js'
import { TcpProxy } from '../support/tcp-proxy.js'
import { rounds } from './support/amounts.js'
import { randomOf, serverSettings, startScene } from './support/begin.js'
import { between } from './support/between.js'
import { startStores } from './support/stores.js'
import { eventually } from './support/wait.js'
import { workersOf } from './support/workers.js'

/** How the network breaks, and for at most how many ms. */
const breaks: Record<string, { breakIt(proxy: TcpProxy): void; longestMs: number }> = {
  'it resets the connections': { breakIt: proxy => proxy.reset(), longestMs: 1000 },
  'it stalls': { breakIt: proxy => proxy.cut(), longestMs: 3000 },
  // Commits succeed, but the worker does not receive the answers.
  'it swallows answers and then resets the connections': {
    breakIt(proxy) {
      proxy.cut('answers')
      setTimeout(() => proxy.reset(), 100)
    },
    longestMs: 1000,
  },
}

t.test('a worker is cut from PostgreSQL', async t => {
  const random = randomOf(t)
  const stores = await startStores(t)
  const { proxy, url } = await TcpProxy.before(t, stores.databaseUrl)
  const organization = await testOrganization(t, stores)
  const [behind, direct] = await Promise.all([
    spawnServer(t, serverSettings(1, { DATABASE_URL: url }), organization),
    spawnServer(t, serverSettings(1), organization),
  ])
  // A high rate of messages, so that breaks happen during commits.
  const scene = await startScene(t, between(behind, direct), { random, pauseMs: 5 })
  const worker = workersOf(behind.process.pid)
  const witness = await behind.person()
  const isBack = async () =>
    (await witness.post('/messages', { type: 'direct', to: [witness.id], content: 'to itself' })).status === 200
  scene.send()
  for (let round = 0; round < rounds; round++) {
    for (const [what, { breakIt, longestMs }] of Object.entries(breaks)) {
      await scene.passes(20)
      await sleep(random(300))
      t.comment(what)
      breakIt(proxy)
      // Longer than the delay until the connections are reset.
      await sleep(200 + random(longestMs))
      proxy.heal()
      await eventually('a worker that writes again', isBack)
    }
  }
  t.comment('it forgets the connections')
  proxy.forget()
  proxy.heal()
  await eventually('a worker that has given them up', isBack)
  await scene.settle(t)
  // A dead machine would not answer keepalive probes; this process does, for as long as the test runs. PostgreSQL would
  // wait for the rest of a truncated statement and keep its locks, so that its schema could not be dropped.
  proxy.reset()
  t.comment(scene.ledger.count('acknowledged'), 'acknowledged', scene.ledger.failures())
  const allowed = /^(unknown: (503 SERVER_NOT_READY|TIMEOUT)|refused: 503 SERVER_NOT_READY)$/
  t.same(
    Object.keys(scene.ledger.failures()).filter(failure => !allowed.test(failure)),
    [],
    'senders were told nothing else',
  )
  t.same(workersOf(behind.process.pid), worker, 'the worker lives on')
})

// The network between one of two workers and PostgreSQL breaks in the midst of commits, and heals: what was acknowledged is stored,
// what was refused is not, what nobody answered may be; and the worker lives on.
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { spawnServer, testOrganization } from '../support/server.js'
import { rounds } from './support/amounts.js'
import { randomOf, serverSettings, startScene } from './support/begin.js'
import { between } from './support/between.js'
import { startStores } from './support/stores.js'
import { TcpProxy } from './support/tcp-proxy.js'
import { eventually } from './support/wait.js'
import { workersOf } from './support/workers.js'

/** How it breaks, and for how long it may. */
const breaks: Record<string, { breakIt(proxy: TcpProxy): void; longestMs: number }> = {
  'it resets the connections': { breakIt: proxy => proxy.reset(), longestMs: 1000 },
  'it stalls': { breakIt: proxy => proxy.cut(), longestMs: 3000 },
  // Commits take place, and nobody hears of them.
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
  // Many of them: a break shall come in the midst of commits.
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
      // Longer than until the connections are reset.
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
  // A machine that is gone answers no keepalive; ours would, for as long as the test lasts: PostgreSQL waits for the rest of a
  // statement that was cut in the midst, and what it has locked by then cannot be dropped.
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

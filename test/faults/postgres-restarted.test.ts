// PostgreSQL is stopped, killed, or hangs under load. A sender is told what became of its message, or that nobody knows; what
// was acknowledged is stored and delivered once, what was refused never was.
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { seeded, seedOf } from '../support/random.js'
import { spawnServer, testOrganization } from '../support/server.js'
import { Scene } from './support/scene.js'
import { startStores } from './support/stores.js'
import { eventually } from './support/wait.js'

const rounds = Number(process.env.FAULT_ROUNDS ?? 4)
// Longer than a socket's sender waits here (support/scene.ts), shorter than a worker gives a statement.
const hangMs = 7000

async function start(t: Test) {
  const seed = seedOf('FAULT_SEED')
  t.comment(`FAULT_SEED=${seed}`)
  const random = seeded(seed)
  const stores = await startStores(t)
  const organization = await testOrganization(t, stores)
  const server = await spawnServer(t, { WORKERS: '2', LOG_LEVEL: process.env.FAULT_LOG ?? 'fatal' }, organization)
  return { random, stores, server, scene: await Scene.start(server, { random }) }
}

/** All that senders were told, apart from success. */
function failuresAre(t: Test, scene: Scene, allowed: RegExp): void {
  t.comment(scene.ledger.count('acknowledged'), 'acknowledged', scene.ledger.failures())
  const others = Object.keys(scene.ledger.failures()).filter(failure => !allowed.test(failure))
  t.same(others, [], 'senders were told nothing else')
}

/** What is in the database is what was acknowledged, and at most what nobody knows of. */
async function storedOnce(t: Test, { server, scene }: Awaited<ReturnType<typeof start>>): Promise<void> {
  const rows = await server.sql<{ content: string; times: number }[]>`
    select content, count(*)::int as times from messages where content like 'number %' group by content`
  t.same(
    rows.filter(({ times }) => times > 1).map(({ content }) => content),
    [],
    'no message is stored twice',
  )
  const stored = rows.length
  const { ledger } = scene
  const [least, most] = [ledger.count('acknowledged'), ledger.count('acknowledged') + ledger.count('unknown')]
  t.ok(stored >= least && stored <= most, `${stored} stored, of ${least} acknowledged and ${most - least} unknown`)
}

for (const how of ['stop', 'kill'] as const) {
  const name = how === 'stop' ? 'stopped as for a restart' : 'killed'
  t.test(`PostgreSQL is ${name} and started again`, async t => {
    const all = await start(t)
    const { random, stores, scene } = all
    scene.send()
    for (let round = 0; round < rounds; round++) {
      await sleep(1000 + random(1000))
      await stores.postgres[how]()
      await sleep(random(1000))
      await stores.postgres.start()
      const before = scene.ledger.count('acknowledged')
      await eventually('messages again', () => scene.ledger.count('acknowledged') > before, { seconds: 5 })
    }
    await scene.settle(t)
    failuresAre(t, scene, /^unknown: (503 SERVER_NOT_READY|0 TIMEOUT|TIMEOUT)$/)
    await storedOnce(t, all)
  })
}

t.test('PostgreSQL hangs for some seconds', async t => {
  const all = await start(t)
  const { stores, scene } = all
  scene.send()
  await sleep(1000)
  stores.postgres.freeze()
  await sleep(hangMs)
  stores.postgres.thaw()
  const before = scene.ledger.count('acknowledged')
  await eventually('messages again', () => scene.ledger.count('acknowledged') > before + 50)
  await scene.settle(t)
  failuresAre(t, scene, /^unknown: (503 SERVER_NOT_READY|0 TIMEOUT|TIMEOUT)$/)
  await storedOnce(t, all)
})

// Connections to PostgreSQL break at every moment: each statement ends, each transaction is whole or was never there.
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { learnTypes, openDatabase, type Sql } from '../../server/store/db.js'
import { seeded, seedOf } from '../support/random.js'
import { testOrganization } from '../support/server.js'
import { startStores } from './support/stores.js'
import { TcpProxy } from './support/tcp-proxy.js'

const forMs = 10_000

t.test('connections break under load', async t => {
  const seed = seedOf('FAULT_SEED')
  t.comment(`FAULT_SEED=${seed}`)
  const random = seeded(seed)
  const stores = await startStores(t)
  const { schema } = await testOrganization(t, stores)
  // One connection, which it does not end itself: it has no help when it breaks.
  const admin = openDatabase(stores.databaseUrl, schema, 1)
  await admin`create table halves (transaction int, half int, list int[])`
  const { proxy, url } = await TcpProxy.before(t, stores.databaseUrl)
  // One pool of several connections and two of one, as a worker has.
  const pools = [8, 1, 1].map(size => openDatabase(url, schema, size, 30_000))
  await Promise.all(pools.map(learnTypes))

  const done = new Set<number>()
  let begun = 0
  let failures = 0
  let isOver = false
  const transact = async (sql: Sql) => {
    while (!isOver) {
      const transaction = begun++
      try {
        await sql.begin(async tx => {
          await tx`insert into halves values (${transaction}, 1, ${[1, 2]})`
          // As code that does something else between two statements: its connection may be gone when it comes back.
          await sleep(random(20))
          await Promise.all([tx`insert into halves values (${transaction}, 2, ${[3]})`, tx`select 1`])
        })
        done.add(transaction)
      } catch {
        failures++
        await sleep(5)
      }
    }
  }
  const all = pools.flatMap((sql, i) => Array.from({ length: i === 0 ? 12 : 2 }, () => transact(sql)))
  for (const end = performance.now() + forMs; performance.now() < end; ) {
    await sleep(random(400))
    if (random(2) === 0) {
      proxy.reset()
      await sleep(random(100))
      proxy.heal()
    } else {
      await admin`select pg_terminate_backend(pid) from pg_stat_activity
        where pid <> pg_backend_pid() and backend_type = 'client backend' and random() < 0.7`.catch(() => undefined)
    }
  }
  isOver = true
  await Promise.all(all)
  t.pass('every statement ended')
  const rows = await admin<{ transaction: number; halves: number }[]>`
    select transaction, count(*)::int as halves from halves group by transaction`
  t.same(
    rows.filter(({ halves }) => halves !== 2),
    [],
    'no transaction is there in part',
  )
  const stored = new Set(rows.map(row => row.transaction))
  t.same(
    [...done].filter(transaction => !stored.has(transaction)),
    [],
    'what was committed is there',
  )
  t.ok(done.size > 50 && failures > 20, `${done.size} were done, ${failures} failed`)
  await Promise.all([admin, ...pools].map(pool => pool.end({ timeout: 5 })))
})

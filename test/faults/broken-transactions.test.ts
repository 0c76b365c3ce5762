// A connection breaks during a transaction whose work continues without noticing. Its later statements must neither
// crash the process with an uncaught error of the driver, nor reach the next transaction on that connection.
import t, { type Test } from 'tap'
import type { Tx } from '../../server/store/driver/db.js'
import { openDatabase } from '../../server/store/driver/open-database.js'
import { testOrganization } from '../support/server.js'
import { TcpProxy } from '../support/tcp-proxy.js'

interface Held {
  readonly running: Promise<unknown>
  /** Continues the work; resolves when it has ended. */
  goOn(): Promise<void>
}

const { services, schema, sql: direct } = await testOrganization(t)
await direct`create table said (what text)`

/** With the worker's sockets, or with the driver's. */
async function start(t: Test, silenceMs?: number) {
  await direct`truncate said`
  const { proxy, url } = await TcpProxy.before(t, services.databaseUrl)
  // One connection: the next statement uses the one that broke.
  const sql = openDatabase(url, schema, 1, { silenceMs })
  t.teardown(() => sql.end({ timeout: 0 }))

  /** A transaction that waits until the test continues it. */
  const hold = async (first: string, then: (tx: Tx) => Promise<unknown>): Promise<Held> => {
    let goOn = () => {}
    const told = new Promise<void>(resolve => {
      goOn = resolve
    })
    let ended = () => {}
    const end = new Promise<void>(resolve => {
      ended = resolve
    })
    let running: Promise<unknown> = Promise.resolve()
    await new Promise<void>((stands, failed) => {
      running = sql.begin(async tx => {
        try {
          await tx`insert into said values (${first})`
          stands()
          await told
          await then(tx)
        } finally {
          ended()
        }
      })
      running.catch(failed)
    })
    return {
      running,
      goOn: () => {
        goOn()
        return end
      },
    }
  }
  const said = async () => (await direct<{ what: string }[]>`select what from said order by what`).map(row => row.what)
  return { proxy, sql, hold, said }
}

const breaks: Record<string, (proxy: TcpProxy) => unknown> = {
  'is reset': proxy => proxy.reset(),
  'is ended by the database': () =>
    direct`select pg_terminate_backend(pid) from pg_stat_activity where state = 'idle in transaction' and query like 'insert into said%'`,
}
const notifiedOf = { code: /^(CONNECTION_CLOSED|ECONNRESET)$/ }
/** The next step of the work. */
const ends: Record<string, (tx: Tx) => Promise<unknown>> = {
  'asks for more': tx => tx`insert into said values ('late')`,
  'asks for more without values': tx => tx.unsafe(`insert into said values ('late')`),
  fails: () => Promise.reject(new Error('of its own')),
  'ends well': () => Promise.resolve(),
}

const pools = { 'a socket of ours': 30_000, "the driver's socket": undefined }

for (const [kind, silenceMs] of Object.entries(pools)) {
  for (const [how, breakIt] of Object.entries(breaks)) {
    for (const [what, then] of Object.entries(ends)) {
      t.test(`${kind} ${how}, then the work ${what}`, async t => {
        const { proxy, sql, hold, said } = await start(t, silenceMs)
        const lost = await hold('lost', then)
        await breakIt(proxy)
        await t.rejects(lost.running, notifiedOf, 'who waits for it is told')
        await lost.goOn()
        proxy.heal()
        const next = await hold('next', tx => tx`insert into said values ('and more')`)
        await next.goOn()
        await next.running
        t.same(await said(), ['and more', 'next'])
        t.equal((await sql`select 1 as one`)[0]?.one, 1, 'the pool goes on')
      })

      t.test(`${kind} ${how}, and the work ${what} when another transaction has the next one`, async t => {
        const { proxy, hold, said } = await start(t, silenceMs)
        const lost = await hold('lost', then)
        await breakIt(proxy)
        await t.rejects(lost.running, notifiedOf)
        proxy.heal()
        const next = await hold('next', tx => tx`insert into said values ('and more')`)
        await lost.goOn()
        await next.goOn()
        await next.running
        t.same(await said(), ['and more', 'next'], 'nothing of the one is in the other')
      })
    }
  }
}

t.test('a transaction that is over is said to be', async t => {
  const { sql } = await start(t)
  const kept = await sql.begin(async tx => {
    await tx`select 1`
    return { tx }
  })
  t.throws(() => kept.tx`select 1`, { code: 'CONNECTION_CLOSED' })
})

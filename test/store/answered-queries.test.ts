// The patches of server/bin/packages.mjs, in the driver that the server uses.
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import t from 'tap'
import { openDatabase } from '../../server/store/driver/open-database.js'
import { services } from '../support/services.js'

const { databaseUrl } = await services(t)
const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
t.teardown(() => sql.end())

type Query = postgres.PendingQuery<postgres.Row[]> & { args: unknown; parameters: unknown }

t.test('an answered query holds no parameters', async t => {
  const query = sql`select ${'long'}::text as text` as unknown as Query
  t.same(query.args, ['long'])
  t.match(await query, [{ text: 'long' }])
  t.equal(query.args, null)
  t.equal(query.parameters, null)
})

t.test('a refused one still tells them in its error', async t => {
  await t.rejects(sql`select ${'text'}::text::int`, { code: '22P02', parameters: ['text'], args: ['text'] })
})

t.test('one that is repeated because a table has changed is sent with them', async t => {
  await sql`create temp table changing as select 1 as a`
  const read = () => sql`select * from changing where ${'1'}::int = 1`
  t.same([...(await read())], [{ a: 1 }])
  await sql`alter table changing add b int`
  t.same([...(await read())], [{ a: 1, b: null }])
})

t.test('several on one connection keep their own', async t => {
  const found = await Promise.all([1, 2, 3].map(n => sql`select ${n}::int as n`))
  t.same(
    found.map(rows => rows[0]?.n),
    [1, 2, 3],
  )
})

// The sockets of a pool with `silenceMs` report the end of a connection half a second after the error.
for (const [when, silenceMs, pauseMs] of [
  ['before it notices', 60_000, 0],
  ['after it noticed', undefined, 100],
] as const)
  t.test(`a pool ends ${when} that its connection broke during a statement`, async t => {
    const pool = openDatabase(databaseUrl, 'public', 1, silenceMs === undefined ? {} : { silenceMs })
    const [own] = await pool`select pg_backend_pid() as pid`
    const failed = t.rejects(pool`select pg_sleep(60)`)
    const isAsleep = () => sql`select from pg_stat_activity where pid = ${own?.pid} and wait_event = 'PgSleep'`
    while ((await isAsleep()).length === 0);
    await sql`select pg_terminate_backend(${own?.pid})`
    await failed
    await sleep(pauseMs)
    t.equal(await Promise.race([pool.end().then(() => 'ended'), sleep(10_000, 'waits', { ref: false })]), 'ended')
  })

t.test('the next one gets the connection that was used last', async t => {
  const pool = postgres(databaseUrl, { max: 4, onnotice: () => {} })
  t.teardown(() => pool.end())
  const process = async (seconds = 0) =>
    (await pool`select pg_backend_pid() as pid, pg_sleep(${seconds}::float8)`)[0]?.pid as number
  const all = await Promise.all([0.01, 0.02, 0.03, 0.2].map(process))
  t.equal(new Set(all).size, 4)
  const last = await process()
  t.ok(all.includes(last))
  for (let i = 0; i < 5; i++) t.equal(await process(), last)
})

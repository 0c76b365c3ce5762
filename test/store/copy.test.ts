// Rows of COPY on their way through the driver (store/backup): errors reach the caller, at each place where they can occur.
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import t from 'tap'
import { copyOut } from '../../server/store/backup/read-tables.js'
import { copyIn } from '../../server/store/backup/restore-tables.js'
import { openDatabase } from '../../server/store/driver/open-database.js'
import { testOrganization } from '../support/server.js'

const pairs = { name: 'pairs', columns: ['key', 'value'] }
const rowsOf = (count: number) => Readable.from(Array.from({ length: count }, (_, i) => Buffer.from(`${i}\tv${i}\n`)))

t.test('COPY', async t => {
  const { services, schema, sql } = await testOrganization(t)
  const copying = openDatabase(services.databaseUrl, schema, 1)
  // The driver waits without end for the connection that the last test closes.
  t.teardown(() => copying.end({ timeout: 1 }))
  const stored = async () => (await sql<{ count: number }[]>`select count(*)::int as count from pairs`)[0]?.count
  await sql`create table pairs (key int unique deferrable initially immediate, value text)`
  const store = (rows: Readable) => copying.begin(async tx => pipeline(rows, await copyIn(tx, pairs)))

  await t.test('rows come back as they were, odd characters and nulls included', async t => {
    const rows = '1\ta\\tb\\nc\\\\\n2\t\\N\n'
    await store(Readable.from([Buffer.from(rows)]))
    t.same(await sql`select * from pairs order by key`, [
      { key: 1, value: 'a\tb\nc\\' },
      { key: 2, value: null },
    ])
    t.equal(await copying.begin(async tx => text(await copyOut(tx, pairs))), rows)
    await sql`truncate pairs`
  })

  await t.test('a wrong row ends the transaction with the error of PostgreSQL', async t => {
    await t.rejects(store(Readable.from([Buffer.from('1\ta\nx\tb\n')])), { code: '22P02' })
    t.equal(await stored(), 0)
  })

  await t.test('so does an error that PostgreSQL finds only after the last row', async t => {
    await t.rejects(store(Readable.from([Buffer.from('1\ta\n1\tb\n')])), { code: '23505' })
    t.equal(await stored(), 0)
  })

  await t.test('an error of the source is that of the transaction', async t => {
    const broken = async function* () {
      yield* rowsOf(10)
      throw new Error('the archive ended')
    }
    await t.rejects(store(Readable.from(broken())), { message: /the archive ended/ })
    t.equal(await stored(), 0)
  })

  await t.test('a connection that is lost amid the rows ends the wait', async t => {
    const slow = async function* () {
      yield* rowsOf(10)
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where query like 'copy "pairs"%' and pid <> pg_backend_pid()`
      yield* rowsOf(100_000)
    }
    await t.rejects(store(Readable.from(slow())))
    t.equal(await stored(), 0)
  })
})

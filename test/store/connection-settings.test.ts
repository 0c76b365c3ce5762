// A connection has the settings that the server relies on, whatever the operator's database says.
import t from 'tap'
import { openDatabase } from '../../server/store/driver/open-database.js'
import { services } from '../support/services.js'

t.test('no statement is compiled, and locks and idle transactions have limits', async t => {
  const { databaseUrl } = await services(t)
  const sql = openDatabase(databaseUrl, 'public', 1, { kind: 'request' })
  t.teardown(() => sql.end({ timeout: 0 }))
  await sql`do $$ begin execute format('alter database %I set jit = on', current_database()); end $$`
  t.teardown(() => sql`do $$ begin execute format('alter database %I reset jit', current_database()); end $$`)
  const other = openDatabase(databaseUrl, 'public', 1, { kind: 'request' })
  t.teardown(() => other.end({ timeout: 0 }))
  const rows = await other`select name, setting from pg_settings where name in
    ('jit', 'lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout')`
  const settings = Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))
  t.equal(settings.jit, 'off')
  for (const name of ['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout']) {
    t.ok(Number(settings[name]) > 0, name)
  }
})

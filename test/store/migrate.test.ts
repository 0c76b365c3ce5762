import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { migrate } from '../../server/store/migrate.js'
import { openDatabase } from '../../server/store/open-database.js'
import { services, type Teardown } from '../support/services.js'

const { databaseUrl } = await services(t)

/** A schema that does not exist yet, and a folder with these migrations. */
async function scene(t: Teardown, files: Record<string, string>) {
  const schema = `t${randomUUID().replaceAll('-', '').slice(0, 16)}`
  const folder = await mkdtemp(join(tmpdir(), 'parley-migrations-'))
  const sql = openDatabase(databaseUrl, schema, 1)
  t.teardown(async () => {
    await sql.unsafe(`drop schema if exists ${schema} cascade`)
    await sql.end()
    await rm(folder, { recursive: true })
  })
  const add = async (more: Record<string, string>) => {
    for (const [name, text] of Object.entries(more)) await writeFile(join(folder, name), text)
  }
  await add(files)
  const applied = async () => (await sql`select name from migrations order by applied, name`).map(row => row.name)
  return { sql, add, applied, run: () => migrate(databaseUrl, schema, folder) }
}

t.test('a later start applies only the files that are new, in the order of their numbers', async t => {
  const { sql, add, applied, run } = await scene(t, {
    '0001-a.sql': 'create table words (word text); insert into words values (1)',
  })
  await run()
  await add({
    '0010-c.sql': "update words set word = word || ' 10'",
    '0002-z.sql': "update words set word = word || ' 2'; alter table words add column kind int",
    'notes.txt': 'not a migration',
  })
  await run()
  await run()
  t.same([...(await sql`select * from words`)], [{ word: '1 2 10', kind: null }])
  t.same(await applied(), ['0001-a.sql', '0002-z.sql', '0010-c.sql'])
})

t.test('a file that fails leaves the schema as it was, and a corrected file is applied', async t => {
  const { sql, add, applied, run } = await scene(t, { '0001-a.sql': 'create table words (word text)' })
  await run()
  await add({ '0002-b.sql': "insert into words values ('b')", '0003-c.sql': 'insert into absent values (1)' })
  await t.rejects(run(), /absent/)
  t.same([...(await sql`select * from words`)], [])
  t.same(await applied(), ['0001-a.sql'])
  await add({ '0003-c.sql': "insert into words values ('c')" })
  await run()
  t.same(await applied(), ['0001-a.sql', '0002-b.sql', '0003-c.sql'])
})

t.test('two files with one number, and a name without a number, are refused before any change', async t => {
  for (const name of ['0002-other.sql', 'later.sql', '3-later.sql']) {
    const { sql, run } = await scene(t, {
      '0002-one.sql': 'create table one (id int)',
      [name]: 'create table two (id int)',
    })
    await t.rejects(run(), /number/, name)
    t.same([...(await sql`select from pg_namespace where nspname = current_setting('search_path')`)], [])
  }
})

t.test('starts at the same time apply each file once', async t => {
  const { sql, run } = await scene(t, { '0001-a.sql': 'create table words (word text); insert into words values (1)' })
  await Promise.all([run(), run(), run()])
  t.same([...(await sql`select * from words`)], [{ word: '1' }])
})

import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { StartError } from '../../server/failures/start-error.js'
import { openDatabase } from '../../server/store/driver/open-database.js'
import { migrate } from '../../server/store/schema/migrate.js'
import { services, type Teardown } from '../support/services.js'

const { databaseUrl } = await services(t)

const first = {
  '0001-a.sql': `create table organization (uuid uuid default gen_random_uuid()); insert into organization default values;
    create table words (word text); insert into words values (1)`,
}

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
  const words = async () => (await sql`select word from words`).map(row => row.word)
  /** A start of a program with the folder, while workers of the versions run. */
  const run = (version = '0.1.0', running: readonly string[] = []) =>
    migrate(databaseUrl, schema, { folder, version, running: async () => running })
  const runByAdmin = () => migrate(databaseUrl, schema, { folder })
  const remove = (name: string) => rm(join(folder, name))
  return { sql, schema, add, remove, applied, words, run, runByAdmin }
}

/** The start is refused with one sentence that matches. */
const refused = (t: Test, start: Promise<void>, pattern: RegExp) =>
  t.rejects(
    start.catch(error => {
      t.type(error, StartError)
      t.notMatch(error.message, /\n/)
      throw error
    }),
    { message: pattern },
  )

t.test('a later start applies only the files that are new, in the order of their numbers', async t => {
  const { sql, add, applied, words, run } = await scene(t, first)
  await run()
  await add({
    '0010-c.sql': "-- needs a stop\nupdate words set word = word || ' 10'",
    '0002-z.sql': "-- works with 0.1.0\nupdate words set word = word || ' 2'; alter table words add column kind int",
    'notes.txt': 'not a migration',
  })
  await run('0.2.0')
  await run('0.2.0')
  t.same(await words(), ['1 2 10'])
  t.same(await applied(), ['0001-a.sql', '0002-z.sql', '0010-c.sql'])
  t.match(await sql`select version, works_with, checksum from migrations order by name`, [
    { version: '0.1.0', works_with: null, checksum: /^[0-9a-f]{64}$/ },
    { version: '0.2.0', works_with: '0.1.0' },
    { version: '0.2.0', works_with: null },
  ])
})

t.test('a file that fails leaves the schema as the file before made it, and a corrected file is applied', async t => {
  const { add, applied, words, run } = await scene(t, first)
  await run()
  await add({
    '0002-b.sql': "-- works with 0.1.0\ninsert into words values ('b')",
    '0003-c.sql': "-- works with 0.1.0\ninsert into words values ('half'); insert into absent values (1)",
  })
  await t.rejects(run(), /absent/)
  t.same(await words(), ['1', 'b'])
  t.same(await applied(), ['0001-a.sql', '0002-b.sql'])
  await add({ '0003-c.sql': "-- works with 0.1.0\ninsert into words values ('c')" })
  await run()
  t.same(await words(), ['1', 'b', 'c'])
})

t.test('files that do not say what they are, and two with one number, are refused before any change', async t => {
  const wrong = {
    '0002-other.sql': '-- works with 0.1.0',
    'later.sql': '-- works with 0.1.0',
    '3-later.sql': '-- works with 0.1.0',
    '0003-silent.sql': 'select 1',
    '0003-late.sql': 'select 1;\n-- works with 0.1.0',
    '0003-vague.sql': '-- works with 0.1',
  }
  for (const [name, text] of Object.entries(wrong)) {
    const { sql, run } = await scene(t, { ...first, '0002-one.sql': '-- works with 0.1.0', [name]: text })
    await t.rejects(run(), /number|first line/, name)
    t.same([...(await sql`select from pg_namespace where nspname = current_setting('search_path')`)], [])
  }
})

t.test('starts at the same time apply each file once', async t => {
  const { words, applied, run } = await scene(t, {
    ...first,
    '0002-b.sql': "-- works with 0.1.0\nupdate words set word = word || ' 2'",
    '0003-c.sql': "-- needs a stop\nupdate words set word = word || ' 3'",
  })
  await Promise.all([run(), run(), run()])
  t.same(await words(), ['1 2 3'])
  t.same(await applied(), ['0001-a.sql', '0002-b.sql', '0003-c.sql'])
})

t.test(
  'an older program starts on a newer schema only where each further migration works with its version',
  async t => {
    const { add, remove, run, words } = await scene(t, { ...first, '0002-b.sql': '-- works with 0.1.0\nselect 1' })
    await run('0.2.0')
    await remove('0002-b.sql')
    await run('0.1.0')
    await run('0.1.1-dev')
    await refused(
      t,
      run('0.0.9'),
      /0002-b\.sql of version 0\.2\.0, on which version 0\.0\.9 does not run: start version 0\.2\.0/,
    )
    await add({ '0002-b.sql': '-- works with 0.1.0\nselect 1', '0003-c.sql': '-- works with 0.2.0\nselect 1' })
    await run('0.3.0')
    await remove('0003-c.sql')
    await run('0.2.0')
    await run('0.10.0')
    await remove('0002-b.sql')
    await refused(t, run('0.1.0'), /0003-c\.sql of version 0\.3\.0.* restore the backup/)
    await add({ '0002-b.sql': '-- works with 0.1.0\nselect 1', '0004-d.sql': '-- needs a stop\nselect 1' })
    await run('0.4.0')
    await remove('0004-d.sql')
    await refused(t, run('0.3.9'), /0004-d\.sql of version 0\.4\.0/)
    t.same(await words(), ['1'])
  },
)

t.test('an applied file that was changed is refused, whether others are to be applied or not', async t => {
  const { add, run, words } = await scene(t, first)
  await run()
  await add({ '0001-a.sql': `${first['0001-a.sql']} ` })
  await refused(t, run(), /0001-a\.sql is not the file that version 0\.1\.0 applied/)
  await add({ '0002-b.sql': "-- works with 0.1.0\ninsert into words values ('b')" })
  await refused(t, run(), /0001-a\.sql/)
  t.same(await words(), ['1'])
  await add(first)
  await run()
  t.same(await words(), ['1', 'b'])
})

t.test('a database from before 0.1.0 is refused', async t => {
  const { sql, schema, run, runByAdmin } = await scene(t, first)
  await sql.unsafe(`create schema ${schema}`)
  await sql`create table migrations (name text primary key, applied timestamptz not null default now())`
  await sql`insert into migrations (name) values ('0001-first-release.sql')`
  for (const start of [run, runByAdmin]) await refused(t, start(), /before 0\.1\.0.*export.*import/)
  t.same((await sql`select from pg_tables where schemaname = ${schema}`).length, 1)
})

t.test('a migration waits for a stop of the workers that may not run beside it', async t => {
  const { add, run, applied } = await scene(t, first)
  await run('0.1.0', ['0.0.1'])
  await add({ '0002-b.sql': '-- works with 0.1.0\nselect 1', '0003-c.sql': '-- works with 0.2.0\nselect 1' })
  const both = ['0.2.0', '0.1.0', '0.1.0']
  await refused(
    t,
    run('0.3.0', both),
    /0003-c\.sql cannot be applied while workers of version 0\.1\.0 run: stop .* or upgrade them to version 0\.2\.0 first/,
  )
  t.same(await applied(), ['0001-a.sql', '0002-b.sql'], 'the one before it works with them')
  await run('0.3.0', ['0.2.0', '0.2.1'])
  await add({ '0004-d.sql': '-- needs a stop\nselect 1' })
  await refused(
    t,
    run('0.4.0', ['0.3.0', '0.4.0']),
    /0004-d\.sql cannot be applied while workers of version 0\.3\.0, 0\.4\.0 run/,
  )
  await run('0.4.0')
  t.same((await applied()).length, 4)
})

t.test('a command creates a schema, and leaves the upgrade of one to the server', async t => {
  const { add, applied, runByAdmin } = await scene(t, { ...first, '0002-b.sql': '-- needs a stop\nselect 1' })
  await runByAdmin()
  await runByAdmin()
  await add({ '0003-c.sql': '-- works with 0.1.0\nselect 1' })
  await refused(t, runByAdmin(), /lacks the migration 0003-c\.sql: start the server of this version first/)
  t.same(await applied(), ['0001-a.sql', '0002-b.sql'])
})

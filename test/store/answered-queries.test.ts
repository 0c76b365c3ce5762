// The driver with the changes of server/bin/patches.mjs, as the bundle contains it.
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type postgres from 'postgres'
import t from 'tap'
import { services } from '../support/services.js'

const script = new URL('../../../server/bin/patches.mjs', import.meta.url)
const { patched } = (await import(script.href)) as { patched(code: string, id: string): string | undefined }
const { databaseUrl } = await services(t)

const original = createRequire(import.meta.url)
  .resolve('postgres')
  .replace(/postgres\/.*$/, 'postgres/src')
const copy = t.testdir({ 'package.json': '{ "type": "module" }', postgres: { src: {} } })
const source = join(copy, 'postgres', 'src')
cpSync(original, source, { recursive: true })
for (const name of ['connection.js', 'queue.js']) {
  const file = join(source, name)
  writeFileSync(file, patched(readFileSync(file, 'utf8'), file) ?? '')
}
const driver = ((await import(pathToFileURL(join(source, 'index.js')).href)) as { default: typeof postgres }).default
const sql = driver(databaseUrl, { max: 1, onnotice: () => {} })
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

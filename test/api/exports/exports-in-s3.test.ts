// Exports with the files in an S3-compatible store: its parts are objects there, and any worker serves the archive.
import { randomBytes } from 'node:crypto'
import t from 'tap'
import { until } from '../../http/until.js'
import { Archive, exported, exportsOf, personArchive, personExported } from '../../support/exports.js'
import { removeUnnamedBytes, upload } from '../../support/files.js'
import { ObjectStore } from '../../support/object-store.js'
import { startServer, testOrganization } from '../../support/server.js'

const store = await ObjectStore.start(t)
const organization = await testOrganization(t)
const here = await startServer(t, store.settings, organization)
const there = await startServer(t, store.settings, organization)
const { sql } = organization
const owner = await here.person({ role: 100 })
await there.ctx.directory.fresh()
// More than one part of a multipart upload.
const bytes = randomBytes(9 * 2 ** 20) as Uint8Array<ArrayBuffer>
const url = await upload(here.url, owner, { name: 'plan.pdf', type: 'application/pdf', bytes })
const pathOf = url.slice('/user_uploads/'.length)
const keysOf = async () =>
  (await sql<{ key: string }[]>`select key from export_parts where key is not null`).map(row => row.key)

t.test('an archive is written to the store, served in ranges by each worker, and removed from it', async t => {
  const { id, export_url } = await exported(owner, { export_type: 'full_without_consent' })
  const keys = await keysOf()
  t.ok(keys.length > 3)
  for (const key of keys) t.type(await here.ctx.storage.sizeOf(key), 'number', key)
  const archive = await Archive.at(export_url)
  t.ok(archive.files.get(`uploads/${pathOf}`)?.equals(Buffer.from(bytes)))
  const elsewhere = new URL(new URL(export_url).pathname, there.url)
  const whole = Buffer.from(await (await fetch(elsewhere)).arrayBuffer())
  const range = await fetch(elsewhere, { headers: { Range: 'bytes=100-5000000' } })
  t.equal(range.status, 206)
  t.ok(Buffer.from(await range.arrayBuffer()).equals(whole.subarray(100, 5_000_001)))
  await owner.ok('DELETE', `/export/realm/${id}`)
  await removeUnnamedBytes(here.ctx)
  for (const key of keys) t.equal(await here.ctx.storage.sizeOf(key), undefined, key)
  t.equal((await fetch(elsewhere)).status, 404)
})

t.test('so is the archive of one person', async t => {
  const { id } = await owner.ok('POST', `/users/${owner.id}/exports`)
  await personExported(owner, owner.id, id)
  t.ok((await personArchive(owner, owner.id)).files.get(`uploads/${pathOf}`)?.equals(Buffer.from(bytes)))
})

t.test('a store that is away for a moment delays an export, and leaves nothing over', async t => {
  await store.kill()
  const { id } = await owner.ok('POST', '/export/realm')
  await until(async () => (await sql`select from jobs where kind = 'export' and attempts > 1`).length > 0)
  t.ok((await exportsOf(owner)).find(one => one.id === id)?.pending)
  await store.begin()
  await sql`update jobs set due = now() where kind = 'export' and state = 'due'`
  here.jobs.look()
  await until(async () => (await exportsOf(owner)).find(one => one.id === id)?.pending === false)
  const found = (await exportsOf(owner)).find(one => one.id === id)
  t.ok((await Archive.at(found?.export_url)).files.has('realm.json'))
  await removeUnnamedBytes(here.ctx)
  t.same(
    [...(await sql`select key from loose_files where key like 'exports/%' and remove_after <= now()`)],
    [],
    'keys of attempts that failed',
  )
})

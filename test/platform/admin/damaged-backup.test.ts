// Archives that are not whole, and places that are not empty: one sentence, and nothing changes.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { ArchiveWriter } from '../../../server/admin/backup/archive-writer.js'
import { backUp } from '../../../server/admin/backup/back-up.js'
import { checkArchive } from '../../../server/admin/backup/check-archive.js'
import { entryNames, fileName, indexName, rowsName } from '../../../server/admin/backup/format.js'
import { migrationsOf, restore } from '../../../server/admin/backup/restore.js'
import { sealBytes } from '../../../server/admin/backup/seal.js'
import { quiet as noProgress } from '../../../server/admin/progress.js'
import { projectRoot } from '../../../server/config/paths.js'
import { migrate, ownMigrations } from '../../../server/store/schema/migrate.js'
import { readMigrations } from '../../../server/store/schema/migration-files.js'
import { upload } from '../../support/files.js'
import { startServer } from '../../support/server.js'
import { dataDirectory } from '../places.js'
import { readEntries } from './read-entries.js'
import { runWith } from './run-admin.js'

const directory = dataDirectory(t)
const place = (name: string) => join(directory, name)
const program = join(projectRoot, process.env.TEST_DIST ?? 'dist', 'server/admin/main.js')

const server = await startServer(t)
const { organization, config, sql, ctx } = server
const here = organization.env({ DATA_DIR: config.dataDir })
const owner = await server.person({ role: 100 })
for (let n = 0; n < 3; n++) await upload(server.url, owner, { name: `${n}.txt`, bytes: `file ${n}` })
const file = place('good.tar.zst')
const written = await runWith(here, ['backup', file])
const good = readFileSync(file)
const there = {
  ...here,
  DATABASE_SCHEMA: 'there',
  KEY_PREFIX: `${organization.schema}-there`,
  DATA_DIR: place('there'),
}

const isUntouched = async () => {
  const tables = await sql`select from pg_namespace where nspname = 'there'`
  return tables.length === 0 && !existsSync(there.DATA_DIR)
}

async function isRefused(t: Test, bytes: Uint8Array, what: string): Promise<void> {
  writeFileSync(place('bad'), bytes)
  await t.rejects(checkArchive(place('bad'), noProgress), { code: 'BAD_BACKUP', message: /^[^\n]+\.$/ }, what)
}

t.test('a file is not replaced, unless one says so', async t => {
  t.match(written, { code: 0, stderr: '' })
  t.match(await runWith(here, ['backup', file]), { code: 1, stderr: `${file} exists already: --force replaces it.\n` })
  t.match(await runWith(here, ['backup', file, '--force']), { code: 0 })
})

t.test('every changed, missing or additional byte is found', async t => {
  const edges = [...Array(64).keys(), ...Array.from({ length: 64 }, (_, i) => good.length - 1 - i)]
  const middle = Array.from({ length: 100 }, (_, i) => Math.floor((good.length * i) / 100))
  for (const at of [...edges, ...middle]) {
    const flipped = Buffer.from(good)
    flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8))
    await isRefused(t, flipped, `byte ${at}`)
  }
  const lengths = [0, 1, sealBytes, sealBytes + 1, good.length >> 1, good.length - sealBytes, good.length - 1]
  for (const length of lengths) await isRefused(t, good.subarray(0, length), `cut after ${length}`)
  await isRefused(t, Buffer.concat([good, Buffer.from('\n')]), 'one byte more')
  await isRefused(t, good.subarray(1), 'without its first byte')
})

t.test('other files are none', async t => {
  for (const [what, bytes] of Object.entries({
    text: Buffer.from('{"format":"parley-backup"}\n'.repeat(10)),
    'an export': gzipSync('{"line":"header","format":"parley-export"}'.repeat(50)),
    'another archive': zstdCompressSync(Buffer.alloc(10_000)),
  })) {
    await isRefused(t, bytes, what)
  }
  await t.rejects(checkArchive(place('nothing'), noProgress), { code: 'UNREADABLE' })
  await t.rejects(checkArchive(directory, noProgress), { code: 'UNREADABLE' })
})

/** Writes an archive with these entries, which has a right seal. */
async function archiveOf(entries: Readonly<Record<string, string>>): Promise<void> {
  await ArchiveWriter.write(
    place('made'),
    () => undefined,
    async archive => {
      for (const [name, text] of Object.entries(entries)) await archive.addText(name, text)
    },
  )
}

t.test('an archive whose parts do not fit together is refused, although its seal is right', async t => {
  const { header, manifest } = await checkArchive(file, noProgress)
  const entries = await readEntries(file)
  await archiveOf(entries)
  t.same((await checkArchive(place('made'), noProgress)).manifest, manifest, 'what the test writes is right')

  const names = Object.keys(entries)
  const users = rowsName('users', 1)
  const aFile = names.find(name => name.startsWith(fileName(''))) ?? ''
  const cases: Record<string, Record<string, string | undefined>> = {
    'no header': { [entryNames.header]: undefined },
    'another header': { [entryNames.header]: JSON.stringify({ ...header, program: '9' }) },
    'no JSON': { [entryNames.header]: '{' },
    'a table without its rows': { [users]: undefined },
    'a table with another row': { [users]: `${entries[users]}${entries[users]}` },
    'no sequences': { [entryNames.sequences]: undefined },
    'other sequences': { [entryNames.sequences]: '[]' },
    'a file less': { [aFile]: undefined },
    'a file with other bytes': { [aFile]: 'file x' },
    'no index': { [indexName(1)]: undefined },
    'an empty index': { [indexName(1)]: '' },
    'no manifest': { [entryNames.manifest]: undefined },
    'a manifest of another archive': {
      [entryNames.manifest]: JSON.stringify({ ...manifest, sequences: 'a'.repeat(64) }),
    },
    'something behind the manifest': { more: 'x' },
  }
  for (const [what, change] of Object.entries(cases)) {
    const changed = Object.entries({ ...entries, ...change }).filter(
      (one): one is [string, string] => one[1] !== undefined,
    )
    await archiveOf(Object.fromEntries(changed))
    await t.rejects(checkArchive(place('made'), noProgress), { code: 'BAD_BACKUP', message: /is damaged: / }, what)
  }
  await archiveOf({ ...entries, [entryNames.header]: JSON.stringify({ ...header, version: 2, more: 1 }) })
  await t.rejects(checkArchive(place('made'), noProgress), { code: 'NEWER', message: /was written by a newer release/ })
})

t.test('commands say it in one sentence, and a restore changes nothing', async t => {
  writeFileSync(place('bad'), good.subarray(0, -1))
  const sentence = {
    code: 1,
    stdout: '',
    stderr: `${place('bad')} is no whole backup: it was cut off or changed, or is another file.\n`,
  }
  t.match(await runWith({}, ['backup', '--verify', place('bad')]), sentence)
  t.match(await runWith(there, ['restore', place('bad')]), sentence)
  const { stderr } = await runWith(there, ['restore', place('bad'), '--json'])
  t.match(JSON.parse(stderr), { code: 'BAD_BACKUP' })
  t.ok(await isUntouched())
})

t.test('a place that is not empty is refused', async t => {
  const refused = async (settings: Record<string, string>, stderr: RegExp) => {
    t.match(await runWith({ ...there, ...settings }, ['restore', file]), { code: 1, stdout: '', stderr })
  }
  await refused({ DATABASE_SCHEMA: organization.schema }, /^The schema \w+ of the database is not empty: [^\n]+\n$/)
  await refused(
    { DATA_DIR: config.dataDir },
    /has files: restore into an empty place, with another FILES_DIR or DATA_DIR\.\n$/,
  )
  await refused(
    { KEY_PREFIX: organization.schema },
    /^Redis has the event queues of this organization: [^\n]+ KEY_PREFIX\.\n$/,
  )
  for (const part of ['postgres', 'redis']) {
    const data = place(`with-${part}`)
    mkdirSync(join(data, part), { recursive: true })
    await refused({ DATABASE_URL: '', REDIS_URL: '', DATA_DIR: data }, /exists: restore into an empty place[^\n]+\n$/)
    t.same(readdirSync(data), [part])
  }
  t.ok(await isUntouched())
})

t.test('a restore that fails in the middle leaves nothing', async t => {
  const archive = await checkArchive(file, noProgress)
  const known = await readMigrations(ownMigrations)
  const settings = { ...config, databaseUrl: organization.services.databaseUrl, databaseSchema: 'there' }
  const stored = new Map<string, boolean>()
  const storage = {
    async write(key: string, bytes: AsyncIterable<Uint8Array>) {
      if (stored.size === 2) throw new Error('the disk is full')
      for await (const _ of bytes);
      stored.set(key, true)
      return 0
    },
    async remove(keys: readonly string[]) {
      for (const key of keys) stored.delete(key)
    },
  }
  await t.rejects(restore(archive, known, { database: settings, storage: storage as never, progress: noProgress }), {
    message: 'the disk is full',
  })
  t.equal(stored.size, 0)
  t.ok(await isUntouched())
})

t.test('schemas of other releases', async t => {
  const own = await readMigrations(ownMigrations)
  const databaseUrl = organization.services.databaseUrl
  const source = (databaseSchema: string) => ({
    settings: { ...config, databaseUrl, databaseSchema },
    storage: ctx.storage,
    about: { program: '9.0.0', settings: {}, secrets: [] },
  })

  await t.test('a newer one is refused', async t => {
    const name = '9999-next-release.sql'
    await sql`insert into migrations (name, checksum, version) values (${name}, ${'b'.repeat(64)}, '9.0.0')`
    await backUp(source(organization.schema), place('newer'), noProgress)
    await sql`delete from migrations where name = ${name}`
    t.match(await runWith(there, ['restore', place('newer')]), {
      code: 1,
      stderr:
        /^The database of \S+ was made by release 9\.0\.0 with 9999-next-release\.sql, which this program does not have: [^\n]+\n$/,
    })
    t.ok(await isUntouched())
  })

  await t.test('one with the same names and other contents is refused', async t => {
    const archive = await checkArchive(file, noProgress)
    const others = own.map(migration => ({ ...migration, checksum: 'c'.repeat(64) }))
    t.throws(() => migrationsOf(archive, others), { code: 'NEWER', message: /with another 0001-/ })
  })

  await t.test('one of an earlier release is migrated', async t => {
    const folder = dataDirectory(t)
    for (const { name, text } of own.slice(0, 1)) writeFileSync(join(folder, name), text)
    await migrate(databaseUrl, 'first', { folder, version: '0.1.0' })
    await backUp(source('first'), place('first'), noProgress)
    t.equal((await checkArchive(place('first'), noProgress)).header.migrations.length, 1)
    const second = { ...there, DATABASE_SCHEMA: 'second', KEY_PREFIX: `${organization.schema}-second` }
    t.match(await runWith({ ...second, DATA_DIR: dataDirectory(t) }, ['restore', place('first')]), { code: 0 })
    const applied = await sql<{ name: string }[]>`select name from second.migrations order by name`
    t.same(
      applied.map(({ name }) => name),
      own.map(({ name }) => name),
    )
  })
})

t.test('a backup that is killed, or whose disk is full, leaves no file of that name', async t => {
  const target = place('killed')
  const child: ChildProcess = spawn(process.execPath, [program, 'backup', target], { env: { ...process.env, ...here } })
  const isBegun = () => readdirSync(directory).some(name => name.startsWith('killed.'))
  while (!isBegun() && child.exitCode === null) await new Promise(resolve => setImmediate(resolve))
  child.kill('SIGKILL')
  const [, signal] = await once(child, 'exit')
  t.equal(signal, 'SIGKILL')
  t.notOk(existsSync(target))
  const [draft = ''] = readdirSync(directory).filter(name => name.startsWith('killed.'))
  await t.rejects(checkArchive(place(draft), noProgress), { code: 'BAD_BACKUP' }, 'what it left is no backup')

  const full = place('full')
  const limited = spawn('bash', ['-c', 'ulimit -f 4; exec "$0" "$@"', process.execPath, program, 'backup', full], {
    env: { ...process.env, ...here },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  limited.stderr.on('data', data => {
    said += data
  })
  const [code] = await once(limited, 'close')
  t.equal(code, 1)
  t.match(said, /^\S+full cannot be written: EFBIG: [^\n]+\n$/)
  t.same(
    readdirSync(directory).filter(name => name.startsWith('full')),
    [],
  )
})

// The drill: a backup while clients write, checked, restored elsewhere, and used there.
import { readdir, readFile as readText, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { removeBytes } from '../../../server/actions/files/clean-files.js'
import { checkArchive } from '../../../server/admin/backup/check-archive.js'
import { entryNames } from '../../../server/admin/backup/format.js'
import { ignoring, readArchive } from '../../../server/admin/backup/read-archive.js'
import { quiet as noProgress } from '../../../server/admin/progress.js'
import { animation, png, uploadEmoji } from '../../api/emoji/scene.js'
import { readFile, removeUnnamedBytes, sendFiles, upload } from '../../support/files.js'
import { Api } from '../../support/http.js'
import { ObjectStore } from '../../support/object-store.js'
import type { Person } from '../../support/people.js'
import { startServer, type TestOrganization } from '../../support/server.js'
import { TusClient } from '../../support/tus.js'
import { dataDirectory } from '../places.js'
import { readEntries } from './read-entries.js'
import { runWith } from './run-admin.js'

type Server = Awaited<ReturnType<typeof startServer>>
type Settings = Record<string, string>

/** Runs a command that must succeed, and returns what it printed as JSON. */
async function admin(t: Test, settings: Settings, ...args: string[]) {
  const { code, stdout, stderr } = await runWith(settings, [...args, '--json'])
  t.equal(code, 0, `${args[0]}: ${stderr}`)
  return JSON.parse(stdout)
}

/** Settings of an empty place beside a server: another schema of its database, another prefix in its Redis, a new directory. */
function elsewhere(t: Test, organization: TestOrganization, name: string): Settings {
  return organization.env({
    DATABASE_SCHEMA: name,
    KEY_PREFIX: `${organization.schema}-${name}`,
    DATA_DIR: dataDirectory(t),
  })
}

/** Starts a worker on a place that was restored. */
function startOn(t: Test, organization: TestOrganization, settings: Settings): Promise<Server> {
  return startServer(t, settings, organization)
}

async function contentsOf(file: string) {
  const { header, manifest, end } = await checkArchive(file, noProgress)
  const files = new Map<string, Buffer>()
  await readArchive(file, end, {
    ...ignoring,
    async file(key, bytes) {
      files.set(key, await buffer(bytes))
    },
  })
  return { header, manifest, files }
}

/** The sequences of an archive, but for that of the audit log. */
async function sequencesOf(file: string): Promise<unknown> {
  const sequences = JSON.parse((await readEntries(file))[entryNames.sequences] ?? '')
  return sequences.filter(({ name }: { name: string }) => name !== 'audit_log_id_seq')
}

/** All files below a directory, by their keys. */
async function storedKeys(dataDir: string): Promise<string[]> {
  const files = join(dataDir, 'files')
  const entries = await readdir(files, { recursive: true, withFileTypes: true })
  return entries
    .filter(one => one.isFile())
    .map(one => join(one.parentPath, one.name).slice(files.length + 1))
    .sort()
}

/** Sends, uploads and removes until it is stopped; remembers what was answered. */
class Load {
  readonly sent: number[] = []
  readonly uploaded = new Map<string, string>()
  private isOver = false
  private readonly running: Promise<unknown>

  constructor(
    private readonly server: Server,
    people: readonly Person[],
  ) {
    this.running = Promise.all([
      ...people.map(person => this.send(person)),
      ...people.map(person => this.upload(person)),
      this.clean(),
    ])
  }

  async stop(): Promise<void> {
    this.isOver = true
    await this.running
  }

  private async send(person: Person): Promise<void> {
    for (let n = 0; !this.isOver; n++) {
      const { id } = await person.ok('POST', '/messages', { type: 'direct', to: [person.id], content: `n${n}` })
      this.sent.push(id)
    }
  }

  private async upload(person: Person): Promise<void> {
    for (let n = 0; !this.isOver; n++) {
      const text = `file ${n} of ${person.id} `.repeat(500)
      const path = await upload(this.server.url, person, { name: `${n}.txt`, bytes: text })
      this.uploaded.set(path.replace('/user_uploads/', ''), text)
      await person.ok('POST', '/messages', { type: 'direct', to: [person.id], content: `[a](${path})` })
      if (n % 3 !== 2) continue
      const { attachments } = await person.ok('GET', '/attachments')
      await person.ok('DELETE', `/attachments/${attachments[0].id}`)
    }
  }

  private async clean(): Promise<void> {
    while (!this.isOver) await removeBytes(this.server.ctx)
  }
}

t.test('a backup under load, restored elsewhere', async t => {
  const server = await startServer(t, { RATE_LIMIT_USER: '0' })
  const { organization, config } = server
  const here = organization.env({ DATA_DIR: config.dataDir })
  const people = await Promise.all(Array.from({ length: 4 }, () => server.person({ role: 200 })))
  const [anna] = people as [Person]
  const register = await anna.ok('POST', '/register', { event_types: ['message'] })
  const load = new Load(server, people)
  while (load.sent.length < 50 || load.uploaded.size < 12) await anna.ok('GET', '/attachments')

  const file = join(dataDirectory(t), 'a.tar.zst')
  const before = new Set(load.sent)
  const written = await admin(t, here, 'backup', file)
  const newest = Math.max(...load.sent)
  await load.stop()
  t.equal((await stat(file)).mode & 0o777, 0o600, 'readable for its owner only')
  t.same(await admin(t, {}, 'backup', '--verify', file), written)
  t.match(written, { organization: { uuid: /^[0-9a-f-]{36}$/ }, missing: 0, files: Number })
  t.ok(written.files > 5)

  const there = elsewhere(t, organization, 'elsewhere')
  t.same(await admin(t, there, 'restore', file), written)
  const again = join(dataDirectory(t), 'b.tar.zst')
  await admin(t, there, 'backup', again)
  const [first, second] = [await contentsOf(file), await contentsOf(again)]
  // The ids of transactions are new, and the log has the restore.
  const { outbox: _, audit_log: __, ...tables } = first.manifest.tables
  t.match(second.manifest, { tables }, 'each table has the same rows')
  t.same(await sequencesOf(again), await sequencesOf(file))
  t.same(second.files, first.files)
  for (const [key, bytes] of first.files)
    t.equal(bytes.toString(), load.uploaded.get(key), 'a file is what was uploaded')

  const other = await startOn(t, organization, there)
  const moved = new Api(other.url, anna)
  const all = await other.sql`select id, content from elsewhere.messages order by id`
  const found = new Set(all.map(({ id }) => id))
  t.same(
    [...before].filter(id => !found.has(id)),
    [],
    'what was answered before is there',
  )
  t.same(
    [...found].filter(id => id > newest),
    [],
    'and nothing of later',
  )
  await t.test('it is used there', t => usedThere(t, other, moved, register))
  await everyFileIsRead(t, other, people)
  t.equal((await admin(t, {}, 'backup', '--verify', again)).rows, second.manifest && rowsOf(second.manifest.tables))
})

const rowsOf = (tables: Record<string, { rows: number }>) =>
  Object.values(tables).reduce((sum, { rows }) => sum + rows, 0)

/** The keys of before are valid, the queues of before are gone, and ids rise. */
async function usedThere(
  t: Test,
  server: Server,
  api: Api,
  before: { queue_id: string; last_event_id: number },
): Promise<void> {
  const gone = await api.call('GET', '/events', {
    queue_id: before.queue_id,
    last_event_id: before.last_event_id,
    dont_block: true,
  })
  t.match(gone.body, { code: 'BAD_EVENT_QUEUE_ID' })
  const { queue_id, last_event_id } = await api.ok('POST', '/register', { event_types: ['message'] })
  const [{ max } = { max: 0 }] = await server.sql<{ max: number }[]>`select max(id) from elsewhere.messages`
  const me = await api.ok('GET', '/users/me')
  const { id } = await api.ok('POST', '/messages', { type: 'direct', to: [me.user_id], content: 'on it goes' })
  t.ok(id > max)
  const { events } = await api.ok('GET', '/events', { queue_id, last_event_id })
  t.ok(events[0].id > before.last_event_id, 'ids of events do not go back')
}

async function everyFileIsRead(t: Test, server: Server, people: readonly Person[]): Promise<void> {
  for (const person of people) {
    const { attachments } = await new Api(server.url, person).ok('GET', '/attachments')
    for (const { path_id, size } of attachments) {
      const answer = await readFile(server.url, person, `/user_uploads/${path_id}`)
      t.equal(answer.status, 200)
      t.equal((await answer.arrayBuffer()).byteLength, size)
    }
  }
}

t.test('every kind of file and every line of an export is the same elsewhere', async t => {
  const server = await startServer(t)
  const { organization, config, url } = server
  const here = organization.env({ DATA_DIR: config.dataDir })
  const owner = await server.person({ role: 100 })
  await admin(t, here, 'seed', '--users', '30', '--channels', '6', '--messages', '400')
  await sendFiles(url, owner, '/users/me/avatar', { files: [{ name: 'a.png', bytes: png }] })
  await sendFiles(url, owner, '/realm/icon', { files: [{ name: 'a.png', bytes: png }] })
  await uploadEmoji(url, owner, 'still')
  await uploadEmoji(url, owner, 'moving', await animation(32, 32, 3))
  const picture = await upload(url, owner, { name: 'p.png', type: 'image/png', bytes: png })
  await owner.ok('POST', '/messages', { type: 'direct', to: [owner.id], content: `[p](${picture})` })
  await upload(url, owner, { name: 'empty.txt', bytes: '' })
  const tus = new TusClient(url)
  const unfinished = await tus.begin(owner, 10)
  await tus.send(owner, unfinished, 0, Buffer.from('half '))
  while ((await server.sql`select from attachments where thumbnail_due is not null and not has_thumbnails`).length > 0);
  await removeUnnamedBytes(server.ctx)

  const file = join(dataDirectory(t), 'a.tar.zst')
  const { missing, files } = await admin(
    t,
    { ...here, PUBLIC_URL: 'https://chat.example', METRICS_TOKEN: 'x'.repeat(16) },
    'backup',
    file,
  )
  const keys = await storedKeys(config.dataDir)
  t.match({ missing, files }, { missing: 0, files: keys.length })
  t.ok(files >= 9, `${files} files`)
  const there = elsewhere(t, organization, 'copy')
  const restored = await runWith(there, ['restore', file])
  t.match(restored, {
    code: 0,
    stdout: /PUBLIC_URL=https:\/\/chat\.example\n.*secret, and not set here: METRICS_TOKEN\n/s,
  })
  t.notMatch(restored.stdout, /xxxx/)
  t.same(await storedKeys(there.DATA_DIR as string), keys)

  const exports = [here, there].map(async (settings, i) => {
    const to = join(dataDirectory(t), `${i}.jsonl`)
    await admin(t, settings, 'export', '--with-secrets', to)
    return (await readText(to, 'utf8')).replace(/^.*\n/, '')
  })
  const [one, two] = await Promise.all(exports)
  t.ok(one === two, 'every line but the first is the same, byte for byte')

  const other = await startOn(t, organization, there)
  const tusThere = new TusClient(other.url)
  const rest = await tusThere.send(owner, unfinished, 5, Buffer.from('other'))
  t.equal(rest.status, 200, 'an upload that was half done is finished')
  t.ok((await readFile(other.url, owner, picture)).ok)
})

t.test('files of a bucket, and into a bucket', async t => {
  const store = await ObjectStore.start(t)
  const server = await startServer(t, store.settings)
  const { organization } = server
  const owner = await server.person()
  const paths = [
    await upload(server.url, owner, { name: 'a.txt', bytes: 'text' }),
    await upload(server.url, owner, { name: 'b.txt', bytes: '' }),
  ]
  const here = organization.env({ ...store.settings, DATA_DIR: dataDirectory(t) })
  const file = join(dataDirectory(t), 'a.tar.zst')
  t.match(await admin(t, here, 'backup', file), { files: 2, missing: 0 })

  const full = await runWith({ ...here, DATABASE_SCHEMA: 'other' }, ['restore', file])
  t.match(full, {
    code: 1,
    stderr: /^The bucket parley-test has files: restore into an empty place, with another S3_BUCKET\.\n$/,
  })
  const empty = await ObjectStore.start(t)
  const there = { ...elsewhere(t, organization, 'bucket'), ...empty.settings }
  await admin(t, there, 'restore', file)
  t.same(await empty.keys(), await store.keys())
  const other = await startOn(t, organization, there)
  for (const path of paths) t.equal((await readFile(other.url, owner, path)).status, 200)
})

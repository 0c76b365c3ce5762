import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { linesOfImports, writeArchive } from '../support/archive.js'
import { otherHost } from '../support/external.js'
import { requested } from '../support/imports.js'
import { createPerson, Person } from '../support/people.js'
import { childrenOf } from '../support/processes.js'
import { type TestOrganization, testOrganization } from '../support/server.js'
import { kills } from './support/amounts.js'
import { randomOf } from './support/begin.js'
import { startWorker } from './support/killable-worker.js'
import { records, workspace } from './support/slack-workspace.js'
import { startStores } from './support/stores.js'
import { eventually } from './support/wait.js'
import { signal } from './support/workers.js'

// A worker imports an archive with files, by a job, in a process of its own. Worker, importer and PostgreSQL are killed at random moments; whoever
// comes next goes on, and at the end all is as after one undisturbed import.

const folder = await mkdtemp(join(tmpdir(), 'parley-import-'))
t.teardown(() => rm(folder, { recursive: true, force: true }))
const host = await otherHost(t, (_, response) => {
  response.writeHead(200, { 'content-type': 'text/plain' }).end('from the source')
})

const isArchived = (channel: number, message: number) => message % 40 === 7 && channel % 2 === 0
const isDownloaded = (channel: number, message: number) => message % 40 === 7 && channel % 2 === 1
const entries: Record<string, string> = {}
const file = await writeArchive(folder, 'slack.zip', {
  ...workspace((channel, message) => {
    const id = `F${channel}x${message}`
    if (isArchived(channel, message)) {
      entries[`__uploads/${id}/notes.txt`] = `notes ${id}`
      return [{ id, name: 'notes.txt' }]
    }
    if (isDownloaded(channel, message)) {
      return [{ id, name: `${id}.txt`, url_private: host.at(`/${id}`, 'files.slack.com') }]
    }
    return []
  }),
  ...entries,
})
const files = 12 * 10
const mostSeconds = 240

/** An organization with an owner, and how its workers start. */
async function begin(t: Test, organization: TestOrganization) {
  const dataDir = await mkdtemp(join(folder, 'data-'))
  const settings = { DATA_DIR: dataDir, FILES_DIR: join(dataDir, 'files') }
  const owner = await createPerson(organization.sql, '', { role: 100, email: 'owner@acme.example', full_name: 'Olga' })
  return {
    start: () => startWorker(t, organization, settings),
    ownerAt: (url: string) => new Person(owner.id, owner.email, owner.api_key, { url, full_name: owner.full_name }),
  }
}

/** Also the words of files are found: `#before` marks messages that wait for them. */
const isWhole = async ({ sql }: TestOrganization) =>
  (await sql`select from import_requests where state = 'finished'`).length === 1 &&
  (await sql`select from import_files where state = 'waiting'`).length === 0 &&
  (await sql`select from messages where has_attachment and search::text like '%#before%' limit 1`).length === 0

const answers = (sql: TestOrganization['sql']) =>
  sql`select`.then(
    () => true,
    () => false,
  )

/** Accounts, records of the archive, channels and files that are done. */
async function steps({ sql }: TestOrganization): Promise<number> {
  const [row] = await sql<[{ steps: number }]>`
    select (select count(*) from users)::int * 20 + coalesce((select sum(done) from imports), 0)::int
      + (select count(*) from channels)::int * 100
      + (select count(*) from import_files where state <> 'waiting')::int * 10 as steps`
  return row.steps
}
const whole = 60 * 20 + records + 12 * 100 + files * 10

/** Uploads the archive, and starts its import when it is checked. */
async function begun(owner: Person, { sql }: TestOrganization): Promise<number> {
  const id = await requested(owner, file)
  await eventually('the plan', async () => (await sql`select from import_requests where state = 'ready'`).length === 1)
  await owner.ok('POST', `/imports/${id}/start`)
  return id
}

t.test('an import with files is after kills as without', async t => {
  const random = randomOf(t)
  const undisturbed = await testOrganization(t)
  const quiet = await begin(t, undisturbed)
  await begun(quiet.ownerAt((await quiet.start()).url), undisturbed)
  await eventually('the whole import', () => isWhole(undisturbed), { seconds: mostSeconds })

  const stores = await startStores(t)
  const organization = await testOrganization(t, stores)
  const { sql } = organization
  const { start, ownerAt } = await begin(t, organization)
  let worker = await start()
  const id = await begun(ownerAt(worker.url), organization)
  /** Jobs and files that a dead process has claimed are free at once: otherwise this takes 15 s, and half an hour. */
  const release = async () => {
    await sql`update jobs set due = now() where state = 'due' and kind in ('import', 'import-files')`
    await sql`update import_files set due = now() where due is not null`
  }
  const ways = {
    async worker() {
      await worker.kill()
      await release()
      worker = await start()
    },
    async importer() {
      for (const pid of childrenOf(worker.pid)) signal(pid, 'SIGKILL')
    },
    async postgres() {
      await stores.postgres.kill()
      await stores.postgres.start()
      await eventually('PostgreSQL answers', () => answers(sql))
      await sql`update import_files set due = now() where due is not null`
    },
  }
  /** After many failures in a row an administrator starts the import again. */
  const has = (isSo: () => Promise<boolean>) => async () => {
    const failed = await sql`select from import_requests where state = 'failed'`
    if (failed.length > 0) await ownerAt(worker.url).post(`/imports/${id}/start`)
    await sql`update jobs set due = now() where state = 'due' and kind = 'import' and due > now() + interval '16 seconds'`
    return isSo()
  }
  const order = ['importer', 'postgres', 'worker'] as const
  const killed = { worker: 0, importer: 0, postgres: 0 }
  for (let i = 0; i < kills; i++) {
    const wanted = Math.floor((whole * (i + random(1000) / 1000)) / kills)
    const isFar = async () => (await isWhole(organization)) || (await steps(organization)) >= wanted
    await eventually(`${wanted} steps of ${whole}`, has(isFar), { seconds: mostSeconds, everyMs: 5 })
    if (await isWhole(organization)) break
    const how = order[i % order.length] ?? 'worker'
    await ways[how]()
    killed[how]++
  }
  t.comment(killed)
  t.ok(killed.worker + killed.importer + killed.postgres >= kills / 2)
  await eventually(
    'the whole import',
    has(() => isWhole(organization)),
    { seconds: mostSeconds },
  )
  const [found, wanted] = [await linesOfImports(sql), await linesOfImports(undisturbed.sql)]
  const [isFound, isWanted] = [new Set(found), new Set(wanted)]
  t.equal(found.length, wanted.length)
  t.same(
    found.filter(line => !isWanted.has(line)).slice(0, 5),
    wanted.filter(line => !isFound.has(line)).slice(0, 5),
    'the same rows as in one run',
  )
})

// Workers, PostgreSQL and Redis end at random while jobs of all guarantees are added and run: notices, mails, thumbnails, and kinds that
// count. What belongs to a committed change happens: exactly once, or at least once under one id; in the order of the key; nothing is left over.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import t, { type Test } from 'tap'
import { sendFiles } from '../support/files.js'
import type { Params } from '../support/http.js'
import { setOrganization } from '../support/organization.js'
import { createPerson, type Person } from '../support/people.js'
import { anyOf } from '../support/random.js'
import { type TestOrganization, testOrganization } from '../support/server.js'
import { rounds } from './support/amounts.js'
import { randomOf } from './support/begin.js'
import { call } from './support/call.js'
import { startStores } from './support/stores.js'
import { eventually } from './support/wait.js'

const faultsPerRound = 8
const people = 100

/** A worker that is started again whenever it has ended. */
class Worker {
  private child: ChildProcess | undefined
  private port = 0
  private isOver = false

  constructor(private readonly env: NodeJS.ProcessEnv) {}

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** Resolves when it serves for the first time. */
  async start(): Promise<void> {
    while (!this.isOver) {
      const child = fork(fileURLToPath(new URL('support/job-worker.js', import.meta.url)), {
        env: this.env,
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      })
      this.child = child
      const exited = once(child, 'exit')
      const ready = once(child, 'message').then(([message]) => (message as { port: number }).port)
      // Without its databases it ends while it starts.
      const port = await Promise.race([ready, exited.then(() => 0)])
      if (port === 0) {
        await sleep(200)
        continue
      }
      this.port = port
      void exited.then(() => this.start())
      return
    }
  }

  kill(): void {
    this.child?.kill('SIGKILL')
  }

  /** Adds no further counting jobs. */
  settle(): void {
    this.child?.send('settle', () => {})
  }

  async end(): Promise<void> {
    this.isOver = true
    this.kill()
    const child = this.child
    if (child && child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
}

/** What senders know to be done. */
interface Acknowledged {
  readonly names: string[]
  readonly mailed: string[]
  readonly pictures: number[]
}

type Ask = (who: Person, method: string, path: string, params: Params) => ReturnType<typeof call>

/** Renames a channel, deactivates people with a mail, and sends pictures, one after the other, until `isOver`. */
async function load(
  ask: Ask,
  { owner, others, channel }: { owner: Person; others: Person[]; channel: number },
  url: () => string,
  isOver: () => boolean,
): Promise<Acknowledged> {
  const done: Acknowledged = { names: [], mailed: [], pictures: [] }
  const bytes = (await sharp({ create: { width: 900, height: 600, channels: 3, background: '#357' } })
    .png()
    .toBuffer()) as Uint8Array<ArrayBuffer>
  const rename = async (n: number) => {
    const name = `name ${n}`
    if ((await ask(owner, 'PATCH', `/streams/${channel}`, { new_name: name })).status === 200) done.names.push(name)
  }
  const deactivate = async () => {
    const person = others.pop()
    if (!person) return
    const params = { deactivation_notification_comment: 'Thank you.' }
    if ((await ask(owner, 'DELETE', `/users/${person.id}`, params)).status === 200) done.mailed.push(person.email)
    // It may have happened without an answer; then another one takes its turn.
    else others.unshift(person)
  }
  const show = async () => {
    const who = owner.who ?? { email: '', api_key: '' }
    const file = { name: 'photo.png', type: 'image/png', bytes }
    const uploaded = await sendFiles(url(), who, '/user_uploads', { files: [file] }).catch(() => undefined)
    if (uploaded?.status !== 200) return
    const message = { type: 'direct', to: [owner.id], content: `[photo](${uploaded.body.url})` }
    const { status, body } = await ask(owner, 'POST', '/messages', message)
    if (status === 200) done.pictures.push(body.id as number)
  }
  // The faults may leave no time for one of them.
  const isEnough = () => Object.values(done).every(list => list.length > 0)
  for (let n = 0; !isOver() || !isEnough(); n++) {
    await rename(n)
    if (n % 3 === 0) await deactivate()
    if (n % 4 === 0) await show()
    await sleep(30)
  }
  return done
}

const idsOf = async (folder: string): Promise<{ to: string; id: string }[]> => {
  const names = await readdir(folder).catch(() => [])
  const texts = await Promise.all(names.map(name => readFile(join(folder, name), 'utf8')))
  return texts.map(text => ({
    to: /^To: (.+)$/m.exec(text)?.[1]?.trim() ?? '',
    id: /^Message-ID: (.+)$/m.exec(text)?.[1]?.trim() ?? '',
  }))
}

async function checkCounts(t: Test, { sql }: TestOrganization): Promise<void> {
  const [[{ causes } = { causes: 0 }], counted] = await Promise.all([
    sql<{ causes: number }[]>`select count(*)::int as causes from causes`,
    sql<{ kind: string; times: number; ns: number }[]>`
      select kind, count(*)::int as times, count(distinct n)::int as ns from counted group by kind`,
  ])
  const of = (kind: string) => counted.find(one => one.kind === kind)
  t.ok(causes > 0, `${causes} causes`)
  t.match(of('once'), { times: causes, ns: causes }, 'exactly once')
  t.match(of('ordered'), { times: causes, ns: causes }, 'exactly once, in order')
  t.equal(of('again')?.ns, causes, `at least once: ${of('again')?.times} times`)
  t.same(await sql`select n from counted where kind = 'again' group by n having count(distinct id) > 1`, [], 'one id')
  const disorder = await sql`
    select x.n, before from (
      select n, lag(n) over (partition by n % 3 order by place) as before from counted where kind = 'ordered'
    ) x join causes earlier on earlier.n = x.n join causes later on later.n = before
    where before > x.n and earlier.xid < later.running`
  t.same(disorder, [], 'none overtakes one whose transaction had ended when its own began')
  const left = await sql`select kind, state, attempts, error from jobs where not is_periodic`
  t.same(left, [], 'nothing is left over')
}

t.test('jobs outlive their workers and databases', async t => {
  const random = randomOf(t)
  const stores = await startStores(t)
  const organization = await testOrganization(t, stores)
  const { sql } = organization
  // `running`: all transactions below it had ended when that of the cause began.
  await sql`
    create table causes (n int generated always as identity primary key, xid xid8 default pg_current_xact_id(),
      running xid8 default pg_snapshot_xmin(pg_current_snapshot()))`
  await sql`create table counted (place int generated always as identity, kind text not null, n int not null, id text)`
  const env = {
    ...process.env,
    ...organization.env({
      LOG_LEVEL: process.env.FAULT_LOG ?? 'fatal',
      DATA_DIR: stores.dataDir,
      RATE_LIMIT_USER: '0',
    }),
  }
  const workers = [new Worker(env), new Worker(env)]
  t.teardown(() => Promise.all(workers.map(worker => worker.end())))
  await Promise.all(workers.map(worker => worker.start()))
  const person = (options = {}) => createPerson(sql, workers[0]?.url ?? '', options)
  const owner = await person({ role: 100 })
  const others = await Promise.all(Array.from({ length: people }, () => person()))
  await setOrganization(sql, { send_channel_events_messages: true })
  await owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'order' }] })
  const channel = (await owner.ok('GET', '/get_stream_id', { stream: 'order' })).stream_id

  let isOver = false
  const url = () => anyOf(workers, random).url
  const ask: Ask = (who, method, path, params) => call({ ...who, url: url() } as Person, method, path, { params })
  const loading = load(ask, { owner, others, channel }, url, () => isOver)
  const faults: readonly (() => Promise<void>)[] = [
    async () => anyOf(workers, random).kill(),
    async () => {
      for (const worker of workers) worker.kill()
    },
    async () => {
      const how = anyOf(['kill', 'stop'] as const, random)
      await stores.postgres[how]()
      await sleep(random(500))
      await stores.postgres.start()
    },
    async () => {
      await stores.redis.kill()
      await sleep(random(300))
      await stores.redis.start()
    },
  ]
  for (let n = 0; n < rounds * faultsPerRound; n++) {
    await sleep(500 + random(1_500))
    await (n === 0 ? faults[0] : anyOf(faults, random))?.()
  }
  await sleep(500)
  isOver = true
  const done = await loading
  await eventually('all workers serve', async () => {
    const answers = await Promise.all(
      workers.map(({ url }) => call({ ...owner, url } as Person, 'GET', '/users/me', { params: {} })),
    )
    return answers.every(({ status }) => status === 200)
  })
  for (const worker of workers) worker.settle()
  await eventually(
    'all jobs end',
    async () => (await sql`select from jobs where not is_periodic and state <> 'dead'`).length === 0,
    { seconds: 90 },
  )
  await checkCounts(t, organization)

  const notices = await sql<{ content: string }[]>`
    select content from messages where channel_id = ${channel} and content like '%renamed channel%' order by id`
  const named = notices.map(({ content }) => /to \*\*(name \d+)\*\*\.$/.exec(content)?.[1] ?? '')
  t.ok(done.names.length > 0, `${done.names.length} renamings were acknowledged`)
  t.same(new Set(named).size, named.length, 'no notice is there twice')
  t.same(
    done.names.filter(name => !named.includes(name)),
    [],
    'each acknowledged renaming has its notice',
  )
  t.same(
    named,
    [...named].sort((a, b) => Number(a.slice(5)) - Number(b.slice(5))),
    'notices are in order',
  )

  const mails = await idsOf(join(stores.dataDir, 'mail'))
  t.ok(done.mailed.length > 0, `${done.mailed.length} deactivations were acknowledged, ${mails.length} mails`)
  t.same(
    done.mailed.filter(email => !mails.some(({ to }) => to === email)),
    [],
    'each acknowledged one has its mail',
  )
  for (const email of new Set(mails.map(({ to }) => to)))
    t.equal(new Set(mails.filter(({ to }) => to === email).map(({ id }) => id)).size, 1, `one id for ${email}`)

  t.ok(done.pictures.length > 0, `${done.pictures.length} pictures were sent`)
  // As if the minute had passed that a worker has for a picture.
  await sql`update attachments set thumbnail_due = now() where thumbnail_due is not null`
  await eventually('all messages show their pictures', async () => {
    const rows = await sql`
      select from messages where id = any(${done.pictures}::bigint[]) and rendered_content like '%/user_uploads/thumbnail/%'
        and rendered_content not like '%image-loading-placeholder%'`
    return rows.length === done.pictures.length
  })
})

// The object store of files is killed, and hangs, while files are sent and read and thumbnails are made. Requests go through or are refused
// with a clear error; each acknowledged file stays whole, and no refused one appears.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import t, { type Test } from 'tap'
import { readConfig } from '../../server/config.js'
import { createLog } from '../../server/log.js'
import { openStorage } from '../../server/storage/open-storage.js'
import { readFile } from '../support/files.js'
import { basic } from '../support/http.js'
import { ObjectStore } from '../support/object-store.js'
import type { Person } from '../support/people.js'
import { spawnServer, testOrganization } from '../support/server.js'
import { TusClient } from '../support/tus.js'
import { rounds } from './support/amounts.js'
import { eventually } from './support/wait.js'

type Bytes = Uint8Array<ArrayBuffer>

/** People who send and read files until they are stopped, and what the server told them. */
class Load {
  /** Acknowledged files by their addresses. */
  readonly files = new Map<string, Bytes>()
  readonly pictures: string[] = []
  readonly messages: number[] = []
  /** Refusals and broken answers by kind of request. */
  readonly failures = { form: 0, tus: 0, read: 0 }
  readonly problems: string[] = []
  private isOver = false
  private readonly work: Promise<void>[]

  constructor(
    private readonly url: string,
    private readonly person: Person,
    private readonly picture: Bytes,
  ) {
    const kinds = [() => this.sendForm(100_000), () => this.sendForm(18_000_000), () => this.sendTus()]
    this.work = [...kinds, () => this.sendPicture(), () => this.read()].map(kind => this.repeat(kind))
  }

  async stop(): Promise<void> {
    this.isOver = true
    await Promise.all(this.work)
  }

  private async repeat(kind: () => Promise<void>): Promise<void> {
    while (!this.isOver) {
      await kind()
      await sleep(20)
    }
  }

  private async sendForm(size: number): Promise<void> {
    await this.send(randomBytes(size) as Bytes, 'application/octet-stream')
  }

  private async sendPicture(): Promise<void> {
    if (this.pictures.length >= 20) return
    const url = await this.send(this.picture, 'image/png')
    if (url === undefined) return
    this.pictures.push(url)
    const { person } = this
    const message = { type: 'direct', to: [person.id], content: `[picture](${url})` }
    this.messages.push((await person.ok('POST', '/messages', message)).id)
  }

  private async send(bytes: Bytes, type: string): Promise<string | undefined> {
    const body = new FormData()
    body.set('file', new Blob([bytes], { type }), 'file')
    const headers = { Authorization: basic(this.person) }
    const answer = await fetch(`${this.url}/api/v1/user_uploads`, { method: 'POST', body, headers })
    const { url, code } = (await answer.json()) as { url: string; code?: string }
    if (answer.status === 200) {
      this.files.set(url, bytes)
      return url
    }
    this.failures.form++
    if (answer.status !== 503 || code !== 'SERVER_NOT_READY') this.problems.push(`form: ${answer.status} ${code}`)
    return undefined
  }

  /** One upload in parts: after a refusal the client asks how much has arrived, and goes on from there. */
  private async sendTus(): Promise<void> {
    const tus = new TusClient(this.url)
    const bytes = randomBytes(6_000_000) as Bytes
    const path = await tus.begin(this.person, bytes.length)
    for (;;) {
      const from = await tus.ask(this.person, 'HEAD', path)
      // All bytes are there, and the store is away: the file is made later.
      if (from.status === 503) {
        await sleep(100)
        continue
      }
      const offset = Number(from.headers.get('upload-offset'))
      const { status, body } = await tus.send(this.person, path, offset, bytes.subarray(offset, offset + 2_500_000))
      if (status === 200) {
        this.files.set(body.url, bytes)
        return
      }
      if (status === 204) continue
      this.failures.tus++
      if (status !== 503 && status !== 423) this.problems.push(`tus: ${status} ${body?.code}`)
      await sleep(100)
    }
  }

  private async read(): Promise<void> {
    const all = [...this.files]
    const [url, bytes] = all[Math.floor(Math.random() * all.length)] ?? []
    if (url === undefined || bytes === undefined) return
    const answer = await readFile(this.url, this.person, url).catch(() => undefined)
    // An answer that has begun can only break off.
    const received = await answer?.arrayBuffer().catch(() => undefined)
    if (answer === undefined || answer.status === 503 || received === undefined) this.failures.read++
    else if (answer.status !== 200) this.problems.push(`read: ${answer.status}`)
    else if (!Buffer.from(bytes).equals(Buffer.from(received))) this.problems.push('read: other bytes')
  }
}

async function nothingIsLost(t: Test, load: Load, person: Person, url: string): Promise<void> {
  t.same(load.problems, [], 'every request went through or was refused with SERVER_NOT_READY')
  for (const [path, bytes] of load.files) {
    const answer = await readFile(url, person, path)
    t.ok(Buffer.from(bytes).equals(Buffer.from(await answer.arrayBuffer())), 'an acknowledged file is whole')
  }
  const { attachments } = await person.ok('GET', '/attachments')
  t.same(
    attachments.map((one: { path_id: string }) => `/user_uploads/${one.path_id}`).sort(),
    [...load.files.keys()].sort(),
    'each acknowledged upload is a file, and no refused one',
  )
}

t.test('the object store is away', async t => {
  const store = await ObjectStore.start(t)
  const organization = await testOrganization(t)
  const settings = {
    WORKERS: '2',
    LOG_LEVEL: process.env.FAULT_LOG ?? 'fatal',
    RATE_LIMIT_USER: '0',
    ...store.settings,
  }
  const server = await spawnServer(t, settings, organization)
  const { sql } = server
  const person = await server.person()
  const picture = (await sharp({ create: { width: 1200, height: 900, channels: 3, background: '#357' } })
    .png()
    .toBuffer()) as Bytes
  const load = new Load(server.url, person, picture)
  t.teardown(() => load.stop())
  const faults = [
    async () => {
      await store.kill()
      const { form, tus, read } = load.failures
      const isRefused = () => load.failures.form > form && load.failures.tus > tus && load.failures.read > read
      await eventually('requests are refused', isRefused)
      await store.begin()
    },
    async () => {
      store.signal('SIGSTOP')
      await sleep(1500)
      store.signal('SIGCONT')
    },
  ]
  for (let round = 0; round < rounds; round++) {
    for (const fault of faults) {
      const [files, pictures] = [load.files.size, load.pictures.length]
      await eventually('files are acknowledged', () => load.files.size > files + 5)
      await eventually('pictures are acknowledged', () => load.pictures.length > pictures + 1 || pictures >= 18)
      await fault()
    }
  }
  const before = load.files.size
  await eventually('files are acknowledged again', () => load.files.size > before + 5)
  await load.stop()
  t.comment(load.files.size, 'files', load.failures)
  await nothingIsLost(t, load, person, server.url)

  await eventually('all messages show their pictures', async () => {
    const rows = await sql`
      select from messages where id = any(${load.messages}::bigint[])
        and rendered_content like '%/user_uploads/thumbnail/%' and rendered_content not like '%image-loading-placeholder%'`
    return rows.length === load.messages.length
  })
  // As if a day had passed.
  await sql`update loose_files set remove_after = now()`
  await eventually('nothing waits for removal', async () => (await sql`select from loose_files`).length === 0)
  const paths = [...load.files.keys()].map(path => path.slice('/user_uploads/'.length))
  const thumbnails = load.pictures.map(path => `thumbnails/${path.slice('/user_uploads/'.length)}/840x560.webp`)
  t.same((await store.keys()).sort(), [...paths, ...thumbnails].sort(), 'the store has these files and nothing else')

  const dataDir = await mkdtemp(join(tmpdir(), 'parley-away-'))
  t.teardown(() => rm(dataDir, { recursive: true }))
  const storage = await openStorage(readConfig({ DATA_DIR: dataDir, ...store.settings }), createLog('silent', 'test'))
  for (const id of await store.unfinished()) await store.date(id, new Date(Date.now() - 2 * 86_400_000))
  await storage.removeUnfinished()
  storage.close()
  t.same(await store.unfinished(), [], 'what could not be aborted meanwhile is removed')
})

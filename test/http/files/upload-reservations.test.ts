// Uploads that begin at the same moment, at two workers: together they have no more than their limits allow, at no time.
import { readdir, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { deleteExpired } from '../../../server/store/files/resumable-uploads.js'
import { sendFiles } from '../../support/files.js'
import { basic } from '../../support/http.js'
import { changeDirectory, setOrganization } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { TusClient } from '../../support/tus.js'
import { until } from '../until.js'

const mib = 1024 * 1024
const parallel = 120
const settings = {
  MAX_FILE_UPLOAD_MIB: '20',
  UPLOAD_QUOTA_USER_MIB: '60',
  RATE_LIMIT_USER: '0',
  RATE_LIMIT_ADDRESS: '0',
}
const first = await startServer(t, settings)
const { dataDir } = first.config
const workers = [first, await startServer(t, { ...settings, DATA_DIR: dataDir }, first.organization)] as const
const clients = workers.map(worker => new TusClient(worker.url))

/** Begins `parallel` uploads of this size at once, in turn at each worker and by each of these people; returns how often each status came. */
async function beginAll(people: readonly Person[], size: number): Promise<Record<number, number>> {
  const counts: Record<number, number> = {}
  const begin = async (n: number) => {
    const person = people[(n >> 1) % people.length] as Person
    const { status } = await (clients[n % 2] as TusClient).post(person, { 'Upload-Length': String(size) })
    counts[status] = (counts[status] ?? 0) + 1
  }
  await Promise.all(Array.from({ length: parallel }, (_, n) => begin(n)))
  return counts
}

t.test('as many resumable uploads of an account as its budget, and no more', async t => {
  t.same(await beginAll([await first.person()], 1), { 201: 50, 429: 70 })
})

t.test('as many bytes as the account may have', async t => {
  t.same(await beginAll([await first.person()], 5 * mib), { 201: 12, 413: 108 })
})

t.test('as many bytes as the organization may have', async t => {
  const [row] = await first.sql`
    select (select bytes from upload_space) + sum(length)::bigint as bytes from resumable_uploads where not is_done`
  const { bytes } = row as unknown as { bytes: number }
  await setOrganization(first.sql, { upload_quota_mib: Math.ceil(bytes / mib) + 40 })
  for (const worker of workers) await worker.ctx.directory.fresh()
  const people = await Promise.all(Array.from({ length: 10 }, () => first.person()))
  t.same(await beginAll(people, 4 * mib), { 201: 10, 413: 110 })
  await changeDirectory(first.sql, tx => tx`update organization set settings = settings - 'upload_quota_mib'`)
  for (const worker of workers) await worker.ctx.directory.fresh()
})

t.test('as many bytes as the disk has room for: parts, and then the files that they become', async t => {
  await first.sql`delete from resumable_uploads`
  for (const { ctx } of workers) {
    // A fiftieth is left to everything else.
    ctx.storage.space = async () => ({ free: 22 * mib, total: 100 * mib })
  }
  t.same(await beginAll([await first.person()], mib), { 201: 10, 503: 110 })
  await first.sql`delete from resumable_uploads`
})

t.test('forms and resumable uploads together, and nothing more is on the disk meanwhile', async t => {
  for (const { ctx } of workers) ctx.storage.space = async () => undefined
  const owner = await first.person()
  const usedBefore = await bytesOnDisk()
  let most = 0
  let isOver = false
  const watching = (async () => {
    while (!isOver) most = Math.max(most, await bytesOnDisk())
  })()
  const form = async (n: number) => {
    const file = { name: 'a', bytes: new Uint8Array(8 * mib) }
    const { status } = await sendFiles(workers[n % 2]?.url ?? '', owner, '/user_uploads', { files: [file] })
    return status === 200 ? 8 * mib : 0
  }
  const resumable = async (n: number) => {
    const { status } = await (clients[n % 2] as TusClient).post(
      owner,
      { 'Upload-Length': String(20 * mib) },
      new Uint8Array(5 * mib),
    )
    return status === 201 ? 20 * mib : 0
  }
  const reserved = await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 4 < 2 ? form(n) : resumable(n))))
  isOver = true
  await watching
  const sum = reserved.reduce((a, b) => a + b, 0)
  t.ok(sum <= 60 * mib && sum > 40 * mib, `${sum / mib} MiB`)
  t.ok(most - usedBefore <= 60 * mib, `${(most - usedBefore) / mib} MiB were on the disk`)
})

t.test('a form whose length is not known reserves the largest file while it arrives', async t => {
  const owner = await first.person()
  const [tus] = clients as [TusClient]
  await tus.begin(owner, 20 * mib)
  const kept = await tus.begin(owner, 20 * mib)
  const socket = connect(Number(new URL(first.url).port), '127.0.0.1')
  const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
  socket.write(
    `POST /api/v1/user_uploads HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic(owner)}\r\nTransfer-Encoding: chunked\r\n` +
      `Content-Type: multipart/form-data; boundary=b\r\n\r\n` +
      chunk('--b\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\nsome'),
  )
  const reservations = () =>
    first.sql`select from resumable_uploads where user_id = ${owner.id} and path_id like 'form/%'`
  await until(async () => (await reservations()).length > 0)
  const begin = () => tus.post(owner, { 'Upload-Length': '1' })
  t.equal((await begin()).status, 413)
  socket.destroy()
  // The end of a connection is noticed later than this side closes it.
  await until(async () => (await reservations()).length === 0)
  t.equal((await begin()).status, 201)
  t.equal((await tus.ask(owner, 'DELETE', kept)).status, 204)
  t.equal(
    (await tus.post(owner, { 'Upload-Length': String(20 * mib - 1) })).status,
    201,
    'what has ended counts no more',
  )
})

t.test(
  'the reservation of a dead worker counts for seconds, one of an upload that no client continues for a day',
  async t => {
    const owner = await first.person()
    const [tus] = clients as [TusClient]
    const counts = async () => (await tus.post(owner, { 'Upload-Length': String(20 * mib) })).status
    await first.sql`
    insert into resumable_uploads (path_id, user_id, name, content_type, metadata, length, writer, writer_until)
    values ('form/dead', ${owner.id}, '', '', '', ${50 * mib}, 'form/dead', now() + interval '10 seconds')`
    t.equal(await counts(), 413)
    await first.sql`update resumable_uploads set writer_until = now() where path_id = 'form/dead'`
    t.same([await counts(), await counts(), await counts(), await counts()], [201, 201, 201, 413])
    await first.sql`update resumable_uploads set created = now() - interval '25 hours' where user_id = ${owner.id}`
    t.equal(await counts(), 201)
    await deleteExpired(first.sql)
    t.equal((await first.sql`select from resumable_uploads where user_id = ${owner.id}`).length, 1)
  },
)

async function bytesOnDisk(): Promise<number> {
  const all = await readdir(join(dataDir, 'files'), { recursive: true, withFileTypes: true })
  // A file may be renamed or removed at this moment.
  const sizes = all.map(one =>
    one.isFile()
      ? stat(join(one.parentPath, one.name)).then(
          ({ size }) => size,
          () => 0,
        )
      : 0,
  )
  return (await Promise.all(sizes)).reduce((a, b) => a + b, 0)
}

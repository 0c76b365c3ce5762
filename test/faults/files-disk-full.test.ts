// The disk of DATA_DIR is full, before an upload, in its middle, and when the parts of a resumable one become a file. Uploads are refused, and
// nothing of them is shown or stays; messages are sent meanwhile. When there is room, uploads succeed, and resumable ones continue.
import { randomBytes } from 'node:crypto'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { readFile, sendFiles, upload } from '../support/files.js'
import { spawnServer } from '../support/server.js'
import { TusClient } from '../support/tus.js'
import { smallDisk } from './support/small-disk.js'
import { eventually } from './support/wait.js'
import { workersOf } from './support/workers.js'

const megabyte = 2 ** 20
const diskMegabytes = 24
const refusal = { status: 503, body: { result: 'error', code: 'SERVER_NOT_READY', msg: /no room/ } }
const fileOf = (megabytes: number) => ({
  name: `${megabytes}.bin`,
  type: 'application/octet-stream',
  bytes: new Uint8Array(randomBytes(megabytes * megabyte)),
})

t.test('the disk of the files is full', async t => {
  const disk = await smallDisk(t, diskMegabytes)
  if (!disk) return void t.pass('a disk that is full', { skip: 'no small file system may be mounted here' })
  const settings = { LOG_LEVEL: process.env.FAULT_LOG ?? 'silent', DATA_DIR: disk.path, RATE_LIMIT_USER: '0' }
  const server = await spawnServer(t, settings)
  const { url, sql, process: program } = server
  const workers = workersOf(program.pid)
  const author = await server.person()
  const tus = new TusClient(url)
  const stored = async (): Promise<string[]> =>
    (await readdir(join(disk.path, 'files'), { recursive: true, withFileTypes: true }))
      .filter(one => one.isFile())
      .map(one => join(one.parentPath, one.name))
  const files: string[] = []
  const nothingElseIsShown = async (what: string) => {
    const { attachments } = await author.ok('GET', '/attachments')
    const shown = attachments.map((one: { path_id: string }) => `/user_uploads/${one.path_id}`)
    t.same(shown.sort(), [...files].sort(), what)
  }
  const send = () => author.ok('POST', '/messages', { type: 'direct', to: [author.id], content: 'meanwhile' })

  const first = fileOf(4)
  files.push(await upload(url, author, first))
  const long = fileOf(6)
  const path = await tus.begin(author, long.bytes.length)
  t.equal((await tus.send(author, path, 0, long.bytes.subarray(0, 2 * megabyte))).status, 204)
  const before = await stored()
  t.equal(before.length, 2, 'a file and a part of another one')

  disk.fill()
  t.match(await sendFiles(url, author, '/user_uploads', { files: [fileOf(1)] }), refusal, 'an upload by form')
  const rest = () => tus.send(author, path, 2 * megabyte, long.bytes.subarray(2 * megabyte))
  t.match(await rest(), refusal, 'a resumable upload')
  t.equal(await tus.offsetOf(author, path), 2 * megabyte, 'which has what it had')
  t.match(await tus.post(author, { 'Upload-Length': '1' }, Buffer.from('a')), refusal, 'a resumable upload that begins')
  t.equal((await sql`select from resumable_uploads`).length, 1, 'which is forgotten')
  await send()
  t.same(await stored(), before)
  await nothingElseIsShown('no refused upload is a file')
  disk.empty()

  // More than there is room for.
  t.match(
    await sendFiles(url, author, '/user_uploads', { files: [fileOf(22)] }),
    refusal,
    'the disk is full in the middle',
  )
  t.same(await stored(), before, 'the bytes that had arrived are removed')

  // Room for the parts alone.
  const others = join(disk.path, 'others')
  await writeFile(others, randomBytes((diskMegabytes - 4 - 6 - 3) * megabyte))
  t.match(await rest(), refusal, 'the parts do not become a file')
  t.equal((await tus.ask(author, 'HEAD', path)).status, 503, 'nor when the client asks')
  await send()
  await nothingElseIsShown('nor is it shown')
  await rm(others)
  t.equal(await tus.offsetOf(author, path), long.bytes.length, 'with room it becomes one when the client asks')
  files.push(path.replace('/api/v1/tus/', '/user_uploads/'))
  const last = fileOf(5)
  files.push(await upload(url, author, last))

  for (const [n, { bytes }] of [first, long, last].entries()) {
    const answer = await readFile(url, author, files[n] ?? '')
    t.ok(Buffer.from(bytes).equals(Buffer.from(await answer.arrayBuffer())), `the file ${n} is whole`)
  }
  await nothingElseIsShown('the files are those that were acknowledged')
  await eventually('nothing waits for removal', async () => (await sql`select from loose_files`).length === 0)
  const paths = files.map(file => join(disk.path, 'files', file.slice('/user_uploads/'.length)))
  t.same((await stored()).sort(), paths.sort(), 'the disk has these files and nothing else')
  t.same(workersOf(program.pid), workers, 'no worker has ended')
})

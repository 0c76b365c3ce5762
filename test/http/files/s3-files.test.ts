// The whole server with its files in an S3-compatible store: nothing is kept in its data directory, and any worker serves any file.
import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import sharp from 'sharp'
import t from 'tap'
import { makeThumbnails } from '../../../server/actions/pictures/make-thumbnails.js'
import { readFile, removeUnnamedBytes, sendFiles, upload } from '../../support/files.js'
import { basic } from '../../support/http.js'
import { ObjectStore } from '../../support/object-store.js'
import { startServer, testOrganization } from '../../support/server.js'
import { TusClient } from '../../support/tus.js'

const mib = 1024 * 1024
const store = await ObjectStore.start(t)
const organization = await testOrganization(t)
const here = await startServer(t, store.settings, organization)
const there = await startServer(t, store.settings, organization)
const owner = await here.person({ role: 100 })
await there.ctx.directory.fresh()
const pathOf = (url: string) => url.slice('/user_uploads/'.length)
type Bytes = Uint8Array<ArrayBuffer>
const png = (await sharp({ create: { width: 900, height: 600, channels: 3, background: '#357' } })
  .png()
  .toBuffer()) as Bytes

t.teardown(async () => {
  for (const { config } of [here, there]) {
    const left = await readdir(config.dataDir, { recursive: true, withFileTypes: true }).catch(() => [])
    t.same(
      left.filter(one => one.isFile()).map(one => one.name),
      [],
      'no file is in the data directory',
    )
  }
})

t.test('a file that one worker takes is read at another, in whole and in ranges', async t => {
  const bytes = randomBytes(3 * mib) as Bytes
  const url = await upload(here.url, owner, { name: 'plan.pdf', type: 'application/pdf', bytes })
  const whole = await readFile(there.url, owner, url)
  t.ok(Buffer.from(bytes).equals(Buffer.from(await whole.arrayBuffer())))
  const head = await fetch(there.url + url, { method: 'HEAD', headers: { Authorization: basic(owner) } })
  t.equal(head.headers.get('content-length'), String(bytes.length))
  for (const [range, status, expected] of [
    ['bytes=5-20', 206, bytes.subarray(5, 21)],
    ['bytes=-7', 206, bytes.subarray(-7)],
    [`bytes=${mib}-`, 206, bytes.subarray(mib)],
    [`bytes=${3 * mib}-`, 416, bytes.subarray(0, 0)],
  ] as const) {
    const answer = await readFile(there.url, owner, url, { Range: range })
    t.equal(answer.status, status, range)
    t.ok(Buffer.from(await answer.arrayBuffer()).equals(Buffer.from(expected)), range)
  }
})

t.test('a resumable upload is continued by any worker', async t => {
  const bytes = randomBytes(20 * mib)
  const [first, second] = [new TusClient(here.url), new TusClient(there.url)]
  const path = await first.begin(owner, bytes.length)
  t.equal((await first.send(owner, path, 0, bytes.subarray(0, 9 * mib))).status, 204)
  t.equal(await second.offsetOf(owner, path), 9 * mib)
  t.equal((await second.send(owner, path, 9 * mib, bytes.subarray(9 * mib, 10 * mib))).status, 204)
  const last = await first.send(owner, path, 10 * mib, bytes.subarray(10 * mib))
  t.equal(last.status, 200)
  const file = await readFile(there.url, owner, last.body.url)
  t.ok(bytes.equals(Buffer.from(await file.arrayBuffer())))
  await removeUnnamedBytes(here.ctx)
  t.same(
    (await store.keys()).filter(key => key.startsWith('parts/')),
    [],
    'the parts are gone',
  )
  t.same(await store.unfinished(), [])
})

t.test('thumbnails, avatars and emoji are in the store, and go with what they belong to', async t => {
  const url = await upload(here.url, owner, { name: 'map.png', type: 'image/png', bytes: png })
  while (await makeThumbnails(there.ctx));
  const thumbnail = await readFile(here.url, owner, `/user_uploads/thumbnail/${pathOf(url)}/840x560.webp`)
  t.match([thumbnail.status, thumbnail.headers.get('content-type')], [200, 'image/webp'])
  const { body: avatar } = await sendFiles(here.url, owner, '/users/me/avatar', {
    files: [{ name: 'face.png', bytes: png }],
  })
  const { pathname } = new URL(avatar.avatar_url, here.url)
  t.equal((await fetch(there.url + pathname)).status, 200)
  const emoji = await sendFiles(here.url, owner, '/realm/emoji/flag', {
    files: [{ name: 'a.png', type: 'image/png', bytes: png }],
  })
  t.equal(emoji.status, 200)
  const kinds = (await store.keys()).map(key =>
    key
      .split('/')
      .slice(0, key.startsWith('1') ? 1 : 3)
      .join('/'),
  )
  for (const kind of ['1', 'thumbnails/1', 'user_avatars/1'])
    t.ok(
      kinds.some(one => one.startsWith(kind)),
      kind,
    )

  const { attachments } = await owner.ok('GET', '/attachments')
  for (const { id } of attachments) await owner.ok('DELETE', `/attachments/${id}`)
  await owner.ok('DELETE', '/users/me/avatar')
  await removeUnnamedBytes(here.ctx)
  const left = await store.keys()
  t.ok(left.length > 0 && left.every(key => key.includes('/emoji/')), left.join(' '))
})

t.test('while the store is away, requests are refused and have no effect', async t => {
  const url = await upload(here.url, owner, { name: 'kept.txt', bytes: 'kept' })
  const tus = new TusClient(here.url)
  const path = await tus.begin(owner, 4)
  await store.kill()
  const away = { code: 'SERVER_NOT_READY', msg: 'The server cannot use its files at present: try again.' }
  for (const bytes of ['lost', randomBytes(17 * mib) as Bytes]) {
    const refused = await sendFiles(here.url, owner, '/user_uploads', { files: [{ name: 'lost.txt', bytes }] })
    t.match(refused, { status: 503, body: away })
  }
  t.match(await sendFiles(here.url, owner, '/users/me/avatar', { files: [{ name: 'a.png', bytes: png }] }), {
    status: 503,
  })
  t.match(await tus.send(owner, path, 0, Buffer.from('late')), { status: 503, body: away })
  const read = await readFile(here.url, owner, url)
  t.match([read.status, await read.json()], [503, away])

  await store.begin()
  t.equal(await tus.offsetOf(owner, path), 0, 'nothing that was refused counts as received')
  const last = await tus.send(owner, path, 0, Buffer.from('late'))
  t.equal(last.status, 200)
  t.equal(await (await readFile(here.url, owner, last.body.url)).text(), 'late')
  t.equal(await (await readFile(here.url, owner, url)).text(), 'kept')
  const { attachments } = await owner.ok('GET', '/attachments')
  t.same(
    attachments.map((one: { name: string }) => one.name),
    ['kept.txt', 'a.bin'],
    'there is no attachment of a refused upload',
  )
})

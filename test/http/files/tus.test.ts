import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { StorageFailure } from '../../../server/storage/storage-failure.js'
import { deleteExpired } from '../../../server/store/files/resumable-uploads.js'
import { readFile, removeUnnamedBytes } from '../../support/files.js'
import { Listener } from '../../support/in-step.js'
import { startServer } from '../../support/server.js'
import { base64, patchHead, TusClient, uploads } from '../../support/tus.js'
import { until } from '../until.js'

const mib = 1024 * 1024
const server = await startServer(t, {
  MAX_FILE_UPLOAD_MIB: '20',
  UPLOAD_QUOTA_USER_MIB: '30',
})
const tus = new TusClient(server.url)
const { port } = new URL(server.url)
const metadata = `filename ${base64('Zürich plan.png')},relativePath,type ${base64('x')}`

t.test('an upload in several requests becomes a file with its last byte', async t => {
  const owner = await server.person()
  const ear = await Listener.start(server.ctx, owner)
  const bytes = randomBytes(19 * mib)
  const path = await tus.begin(owner, bytes.length, metadata)
  t.match(path, /^\/api\/v1\/tus\/1\/[0-9a-f]{2}\/[\w-]{24}\/Zrich-plan\.png$/)
  const url = path.replace('/api/v1/tus/', '/user_uploads/')

  const head = await tus.ask(owner, 'HEAD', path)
  t.match(Object.fromEntries(head.headers), {
    'upload-offset': '0',
    'upload-length': String(bytes.length),
    'upload-metadata': metadata,
    'cache-control': 'no-store',
    'tus-resumable': '1.0.0',
  })
  const first = await tus.send(owner, path, 0, bytes.subarray(0, 17 * mib))
  t.match([first.status, first.headers.get('upload-offset')], [204, String(17 * mib)])
  t.same(await ear.inStep(t), [], 'nothing is announced before the end')
  t.equal((await readFile(server.url, owner, url)).status, 404)

  const last = await tus.send(owner, path, 17 * mib, bytes.subarray(17 * mib))
  t.equal(last.status, 200)
  t.match(last.body, { result: 'success', url, uri: url, filename: 'Zürich plan.png' })
  const file = await readFile(server.url, owner, url)
  t.equal(file.headers.get('content-type'), 'image/png')
  t.ok(bytes.equals(Buffer.from(await file.arrayBuffer())))
  t.match(await ear.inStep(t), [{ type: 'attachment', op: 'add', attachment: { size: bytes.length } }])
  t.equal(await tus.offsetOf(owner, path), bytes.length, 'a client that missed the answer sees that all has arrived')
  t.equal((await tus.send(owner, path, bytes.length, new Uint8Array())).status, 200)
  t.equal((await tus.ask(owner, 'DELETE', path)).status, 404, 'a file is removed by remove_attachment')
  t.same(await ear.inStep(t), [])
  await removeUnnamedBytes(server.ctx)
  t.equal((await server.sql`select from loose_files`).length, 0, 'the parts are gone')
})

t.test('one request may do all: with all bytes, with no bytes to send, by POST for PATCH', async t => {
  const owner = await server.person()
  const post = (length: number, bytes?: Uint8Array) =>
    tus.ask(owner, 'POST', '/api/v1/tus', { headers: { 'Upload-Length': String(length) }, bytes })
  const whole = await post(3, Buffer.from('abc'))
  t.equal(whole.status, 200)
  t.equal(whole.body.filename, 'uploaded-file')
  t.equal(await (await readFile(server.url, owner, whole.body.url)).text(), 'abc')
  t.equal((await post(0)).status, 200)
  const part = await post(3, Buffer.from('ab'))
  t.match([part.status, part.headers.get('upload-offset')], [201, '2'])
  const path = new URL(part.headers.get('location') ?? '').pathname
  const over = await tus.ask(owner, 'POST', path, {
    headers: { 'Upload-Offset': '2', 'X-HTTP-Method-Override': 'PATCH' },
    bytes: Buffer.from('c'),
  })
  t.equal(over.status, 200)
  t.equal(await (await readFile(server.url, owner, over.body.url)).text(), 'abc')
})

t.test('a POST that is refused because of its bytes leaves no upload', async t => {
  const owner = await server.person()
  const { storage } = server.ctx
  const write = storage.write.bind(storage)
  storage.write = async (key, source) => {
    const size = await write(key, source)
    // The first part is stored, the second is refused.
    storage.write = async () => {
      throw new StorageFailure('full', undefined)
    }
    return size
  }
  t.teardown(() => {
    storage.write = write
  })
  const refused = await tus.post(owner, { 'Upload-Length': String(12 * mib) }, randomBytes(12 * mib))
  t.match(refused, { status: 503, body: { code: 'SERVER_NOT_READY' } })
  t.equal(refused.headers.get('location'), null)
  t.equal((await tus.post(owner, { 'Upload-Length': '1' }, Buffer.from('ab'))).status, 413)
  t.same(await server.sql`select from resumable_uploads where user_id = ${owner.id}`, [])
  await removeUnnamedBytes(server.ctx)
  t.equal((await server.sql`select from loose_files`).length, 0, 'the stored part is gone')
})

t.test('an upload that is broken off at any byte goes on from there', async t => {
  const owner = await server.person()
  const bytes = randomBytes(300_000)
  for (const length of [0, 1, 1000, 150_000, bytes.length - 1]) {
    const path = await tus.begin(owner, bytes.length)
    const socket = connect(Number(port), '127.0.0.1')
    const head = patchHead(owner, path, 0, `Content-Length: ${bytes.length}`)
    await new Promise<void>(resolve =>
      socket.write(Buffer.concat([Buffer.from(head), bytes.subarray(0, length)]), () => resolve()),
    )
    socket.end()
    await once(socket.resume(), 'close')
    let answer = await tus.send(owner, path, bytes.length, new Uint8Array())
    // The end of a connection is noticed later than this side closes it.
    while (answer.status === 423) {
      await sleep(20)
      answer = await tus.send(owner, path, bytes.length, new Uint8Array())
    }
    t.equal(answer.status, 409)
    const kept = await tus.offsetOf(owner, path)
    t.ok(kept <= length)
    const last = await tus.send(owner, path, kept, bytes.subarray(kept))
    t.equal(last.status, 200)
    const file = await readFile(server.url, owner, last.body.url)
    t.ok(bytes.equals(Buffer.from(await file.arrayBuffer())), `broken off at ${length}`)
  }
})

t.test('two requests at once: the second waits for its turn', async t => {
  const owner = await server.person()
  const path = await tus.begin(owner, 6)
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(`${patchHead(owner, path, 0, 'Content-Length: 6')}abc`)
  await until(async () => (await server.sql`select from resumable_uploads where writer_until > now()`).length > 0)
  const second = await tus.send(owner, path, 0, Buffer.from('xyz'))
  t.match(second, { status: 423, body: { result: 'error' } })
  socket.write('def')
  const [answer] = await once(socket, 'data')
  t.match(String(answer), /^HTTP\/1.1 200 /)
  socket.destroy()

  // A worker that died has left its name: after some seconds another request may go on.
  const left = await tus.begin(owner, 3)
  const pathId = left.replace('/api/v1/tus/', '')
  const takenUntil = (seconds: number) => server.sql`
    update resumable_uploads set writer = 'dead', writer_until = now() + ${seconds} * interval '1 second'
    where path_id = ${pathId}`
  await takenUntil(10)
  t.equal((await tus.send(owner, left, 0, Buffer.from('abc'))).status, 423)
  t.equal(await tus.offsetOf(owner, left), 0, 'HEAD answers meanwhile')
  await takenUntil(-1)
  t.equal((await tus.send(owner, left, 0, Buffer.from('abc'))).status, 200)
})

t.test('an upload that is ended, or forgotten after a day, leaves nothing', async t => {
  const owner = await server.person()
  const [ended, old] = [await tus.begin(owner, 10), await tus.begin(owner, 10)]
  for (const path of [ended, old]) t.equal((await tus.send(owner, path, 0, Buffer.from('12345'))).status, 204)
  t.equal((await tus.ask(owner, 'DELETE', ended)).status, 204)
  t.equal((await tus.ask(owner, 'HEAD', ended)).status, 404)
  t.equal((await tus.ask(owner, 'DELETE', ended)).status, 404)

  await server.sql`update resumable_uploads set created = now() - interval '25 hours'`
  await server.sql`update loose_files set remove_after = now()`
  t.equal((await tus.ask(owner, 'HEAD', old)).status, 404)
  t.equal((await tus.send(owner, old, 5, Buffer.from('12345'))).status, 404)
  await deleteExpired(server.sql)
  t.equal((await server.sql`select from resumable_parts`).length, 0)
  await removeUnnamedBytes(server.ctx)
  t.equal((await server.sql`select from loose_files`).length, 0)
})

t.test('a server that stops stores what has arrived, and another one goes on', async t => {
  const settings = { DATA_DIR: server.config.dataDir }
  const [first, second] = [
    await startServer(t, settings, server.organization),
    await startServer(t, settings, server.organization),
  ]
  const owner = await server.person()
  const [one, two] = [new TusClient(first.url), new TusClient(second.url)]
  const path = await one.begin(owner, 10)
  const socket = connect(Number(new URL(first.url).port), '127.0.0.1')
  socket.write(`${patchHead(owner, path, 0, 'Content-Length: 10')}12345`)
  await until(async () => (await server.sql`select from resumable_uploads where writer_until > now()`).length > 0)
  // Until the part has been announced, its bytes may not have been read.
  await until(async () => (await server.sql`select from loose_files where key like 'parts/%'`).length > 0)
  const answered = once(socket, 'data')
  await first.stop()
  t.match(String((await answered)[0]), /^HTTP\/1.1 503 /)
  socket.destroy()
  t.equal(await two.offsetOf(owner, path), 5)
  const last = await two.send(owner, path, 5, Buffer.from('67890'))
  t.equal(last.status, 200)
  t.equal(await (await readFile(second.url, owner, last.body.url)).text(), '1234567890')
})

t.test(
  'an upload whose bytes are all there becomes a file when the client asks: its worker died before the end',
  async t => {
    const owner = await server.person()
    const path = await tus.begin(owner, 6)
    t.equal((await tus.send(owner, path, 0, Buffer.from('abc'))).status, 204)
    // What a worker leaves that stored the last part and died.
    const pathId = path.replace(uploads, '')
    const [part] = await server.sql`select key from resumable_parts where path_id = ${pathId}`
    await server.ctx.storage.write('parts/last/part', Readable.from([Buffer.from('def')]))
    await server.sql`insert into loose_files (key, remove_after) values ('parts/last/part', now() + interval '1 day')`
    await server.sql`insert into resumable_parts (path_id, start, size, key) values (${pathId}, 3, 3, 'parts/last/part')`
    await server.sql`update resumable_uploads set received = 6 where path_id = ${pathId}`
    t.equal(await tus.offsetOf(owner, path), 6)
    t.equal(await (await readFile(server.url, owner, `/user_uploads/${pathId}`)).text(), 'abcdef')
    t.not(part, undefined)
  },
)

t.test('names and types of files', async t => {
  const owner = await server.person()
  const made = async (metadata: string) => {
    const { body, status } = await tus.post(owner, { 'Upload-Length': '0', 'Upload-Metadata': metadata })
    t.equal(status, 200, metadata)
    const file = await readFile(server.url, owner, body.url)
    return [body.filename, body.url.split('/').at(-1), file.headers.get('content-type')]
  }
  const named = (name: string, type?: string) =>
    made(`filename ${base64(name)}${type === undefined ? '' : `,filetype ${base64(type)}`}`)
  t.same(await named('50%20off.txt'), ['50%20off.txt', '5020off.txt', 'text/plain'], 'percents are no escapes here')
  t.same(await named('../../etc/passwd'), ['passwd', 'passwd', 'application/octet-stream'])
  t.same(await named('a\r\nSet-Cookie: x=1\0.png'), ['aSet-Cookie: x=1.png', 'aSet-Cookie-x1.png', 'image/png'])
  t.same(await named('ev\u202egpj.exe', 'image/png'), ['evgpj.exe', 'evgpj.exe', 'image/png'])
  for (const name of ['', '.', '..', '...', '\0', '\u200b', '\u3164', '\u2800', '\u202e.\u200d'])
    t.match(await named(name), ['uploaded-file', 'uploaded-file'])
  for (const type of ['x', 'a/b\r\nX: 1', 'a/b\0', 'text/html\u00e9', `a/${'b'.repeat(200)}`]) {
    t.equal((await named('a.bin', type))[2], 'application/octet-stream', JSON.stringify(type))
  }
  t.match(await made('name YQ==,relativePath'), ['uploaded-file', 'uploaded-file'])
})

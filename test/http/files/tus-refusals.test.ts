import { once } from 'node:events'
import { connect } from 'node:net'
import t from 'tap'
import { removeUnnamedBytes, sendFiles } from '../../support/files.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { patchHead, TusClient, uploads } from '../../support/tus.js'

const mib = 1024 * 1024
const server = await startServer(t, {
  MAX_FILE_UPLOAD_MIB: '20',
  UPLOAD_QUOTA_USER_MIB: '30',
  ALLOWED_ORIGINS: 'https://page.example',
})
const tus = new TusClient(server.url)
const { port } = new URL(server.url)

t.test('wrong offsets, lengths, types, versions and paths', async t => {
  const owner = await server.person()
  const path = await tus.begin(owner, 10)
  const bytes = Buffer.from('12345')
  t.equal((await tus.send(owner, path, 0, bytes)).status, 204)
  for (const offset of [0, 4, 6, 10, 11, '-1', 'x', '', '1e1', '9'.repeat(30)]) {
    t.equal((await tus.send(owner, path, offset, bytes)).status, 409, `offset ${offset}`)
  }
  t.equal((await tus.ask(owner, 'PATCH', path, { headers: {}, bytes })).status, 409)
  t.match(await tus.send(owner, path, 5, Buffer.from('123456')), { status: 413, body: { code: 'REQUEST_TOO_LARGE' } })
  const patch = { 'Upload-Offset': '5' }
  t.equal(
    (await tus.ask(owner, 'PATCH', path, { headers: { ...patch, 'Content-Type': 'text/plain' }, bytes })).status,
    415,
  )
  for (const version of [undefined, '0.2.2']) {
    const answer = await tus.ask(owner, 'PATCH', path, { headers: { ...patch, 'Tus-Resumable': version }, bytes })
    t.match([answer.status, answer.headers.get('tus-version')], [412, '1.0.0'])
  }
  t.equal(await tus.offsetOf(owner, path), 5, 'no refusal has changed anything')
  t.equal((await tus.send(owner, `${path}x`, 5, bytes)).status, 404)
  t.equal((await tus.ask(owner, 'GET', path)).status, 405)
  t.equal((await tus.ask(owner, 'PUT', path, { headers: patch, bytes })).status, 405)
  t.equal((await tus.ask(owner, 'POST', path, { headers: { 'Upload-Length': '1' } })).status, 405)

  const post = (headers: Record<string, string>) => tus.ask(owner, 'POST', '/api/v1/tus/', { headers })
  for (const headers of [
    {},
    { 'Upload-Defer-Length': '1' },
    { 'Upload-Length': '-1' },
    { 'Upload-Length': '1.5' },
    { 'Upload-Length': '0x1' },
  ]) {
    t.equal((await post(headers as Record<string, string>)).status, 411)
  }
  const malformed = [
    'filename !',
    'a b c',
    ',',
    'a,',
    'a,a',
    'a YQ==,a YQ==',
    'a YQ',
    'a YQ=',
    'a Y-Q_',
    'a /w==',
    'a\tYQ==',
  ]
  t.equal((await post({ 'Upload-Length': '9'.repeat(300) })).status, 413)
  for (const metadata of [...malformed, `a ${'x'.repeat(9000)}`]) {
    t.equal((await post({ 'Upload-Length': '1', 'Upload-Metadata': metadata })).status, 422, metadata.slice(0, 20))
  }
  t.equal(
    (await tus.ask(owner, 'POST', '/api/v1/tus/', { headers: { 'Upload-Length': '5', 'Content-Type': 'x/y' }, bytes }))
      .status,
    415,
  )
})

t.test('a length that lies, in a body without a length', async t => {
  const owner = await server.person()
  const path = await tus.begin(owner, 10)
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(`${patchHead(owner, path, 0, 'Transfer-Encoding: chunked')}b\r\n12345678901\r\n0\r\n\r\n`)
  const [answer] = await once(socket, 'data')
  t.match(String(answer), /^HTTP\/1.1 413 /)
  socket.destroy()
  t.equal(await tus.offsetOf(owner, path), 0)
})

t.test('another account, no account, a wrong key', async t => {
  const [owner, stranger] = [await server.person(), await server.person()]
  const path = await tus.begin(owner, 3)
  for (const method of ['HEAD', 'DELETE']) t.equal((await tus.ask(stranger, method, path)).status, 404)
  t.equal((await tus.send(stranger, path, 0, Buffer.from('abc'))).status, 404)
  const wrong = { ...owner, api_key: 'x'.repeat(32) } as Person
  for (const who of [null, wrong]) {
    t.equal((await tus.ask(who, 'HEAD', path)).status, 401)
    const answer = await tus.ask(who, 'POST', '/api/v1/tus/', { headers: { 'Upload-Length': '1' } })
    t.match(answer, { status: 401, body: { result: 'error', code: 'UNAUTHORIZED' } })
    t.equal(answer.body.message, answer.body.msg)
  }
  t.equal(await tus.offsetOf(owner, path), 0)
})

t.test('sizes, quotas and numbers', async t => {
  const owner = await server.person()
  const post = (length: number) =>
    tus.ask(owner, 'POST', '/api/v1/tus/', { headers: { 'Upload-Length': String(length) } })
  t.match(await post(20 * mib + 1), { status: 413, body: { code: 'REQUEST_TOO_LARGE' } })
  t.equal((await post(20 * mib)).status, 201)
  t.match(await post(11 * mib), { status: 413, body: { code: 'REALM_UPLOAD_QUOTA' } }, 'unfinished ones count')
  for (let i = 0; i < 49; i++) t.equal((await post(1)).status, 201)
  t.equal((await post(1)).status, 429)
})

t.test('pages of other origins', async t => {
  const Origin = 'https://page.example'
  const answer = await tus.ask(null, 'OPTIONS', '/api/v1/tus/', { headers: { Origin, 'Tus-Resumable': undefined } })
  t.equal(answer.status, 204)
  t.match(Object.fromEntries(answer.headers), {
    'tus-version': '1.0.0',
    'tus-extension': 'creation,creation-with-upload,termination',
    'tus-max-size': String(20 * mib),
    'access-control-allow-origin': Origin,
    'access-control-allow-methods': 'OPTIONS, POST, HEAD, PATCH, DELETE',
    'access-control-allow-headers': /Authorization, Content-Type, Tus-Resumable, Upload-Length/,
  })
  const owner = await server.person()
  const begun = await tus.ask(owner, 'POST', '/api/v1/tus/', { headers: { Origin, 'Upload-Length': '1' } })
  t.match(begun.headers.get('access-control-expose-headers'), /Location, Upload-Offset/)
  const other = await tus.ask(owner, 'POST', '/api/v1/tus/', {
    headers: { Origin: 'https://other.example', 'Upload-Length': '1' },
  })
  t.equal(other.headers.get('access-control-allow-origin'), null)
})
t.test('only the header Authorization names the account', async t => {
  const owner = await server.person()
  const path = await tus.begin(owner, 3)
  const query = `?api_key=${owner.api_key}`
  for (const [method, url] of [
    ['POST', uploads],
    ['HEAD', path],
    ['PATCH', path],
    ['DELETE', path],
  ] as const) {
    t.equal((await tus.ask(null, method, url + query, { headers: { 'Upload-Length': '1' } })).status, 401, method)
  }
  t.equal(await tus.offsetOf(owner, path), 0)
})

t.test('accounts that may not upload', async t => {
  const owner = await server.person()
  const webhook = await server.person({ bot_type: 2, bot_owner_id: owner.id })
  t.equal((await tus.post(webhook, { 'Upload-Length': '1' })).status, 401)
  const former = await server.person({ is_active: false })
  t.equal((await tus.post(former, { 'Upload-Length': '1' })).status, 401)
  const limited = await startServer(t, { RATE_LIMIT_USER: '3' }, server.organization)
  const client = new TusClient(limited.url)
  // On a busy machine a request may take long enough to count for several.
  let answer = await client.post(owner, { 'Upload-Length': '1' })
  t.equal(answer.status, 201)
  for (let i = 0; i < 3 && answer.status === 201; i++) answer = await client.post(owner, { 'Upload-Length': '1' })
  t.match(answer, { status: 429, body: { code: 'RATE_LIMIT_HIT' } })
  t.ok(answer.headers.get('retry-after'))
  const none = await startServer(t, { MAX_FILE_UPLOAD_MIB: '0' }, server.organization)
  t.equal((await new TusClient(none.url).post(owner, { 'Upload-Length': '0' })).status, 413)
})

t.test('paths that name no upload', async t => {
  const owner = await server.person()
  const path = await tus.begin(owner, 3)
  const name = path.split('/').at(-1)
  const wrong = [
    `${uploads}%00`,
    `${uploads}%zz`,
    `${uploads}1/ab/..%2f..%2f..%2fetc/passwd`,
    `${path}%2f..%2f${name}`,
    `${path}%00`,
    `${path}+suffix`,
    path.toUpperCase().replace('/API/V1/TUS', '/api/v1/tus'),
    `${uploads}${'x'.repeat(3000)}`,
  ]
  for (const one of wrong) {
    for (const method of ['HEAD', 'DELETE', 'POST', 'PATCH']) {
      const bytes = method === 'PATCH' ? Buffer.from('abc') : undefined
      const { status } = await tus.ask(owner, method, one, {
        headers: { 'Upload-Length': '1', 'Upload-Offset': '0' },
        bytes,
      })
      // A path in capitals can have the form of an upload's, whose methods do not include POST.
      t.ok(status === 404 || (method === 'POST' && status === 405), `${method} ${one.slice(0, 60)}: ${status}`)
    }
  }
  t.equal(await tus.offsetOf(owner, path), 0)
})

t.test('space that is reserved is not given to another upload, so one that fitted becomes a file', async t => {
  const owner = await server.person()
  const first = await tus.begin(owner, 20 * mib)
  const part = Buffer.alloc(20 * mib - 1)
  t.equal((await tus.send(owner, first, 0, part)).status, 204)
  const form = (size: number) =>
    sendFiles(server.url, owner, '/user_uploads', { files: [{ name: 'a', bytes: new Uint8Array(size) }] })
  t.match(await form(11 * mib), { status: 400, body: { code: 'REALM_UPLOAD_QUOTA' } })
  t.equal((await form(10 * mib)).status, 200)
  t.equal((await tus.send(owner, first, part.length, Buffer.from('x'))).status, 200)
  t.match(await form(1), { status: 400, body: { code: 'REALM_UPLOAD_QUOTA' } }, 'a file counts once')
  await removeUnnamedBytes(server.ctx)
  t.equal((await server.sql`select from loose_files where remove_after <= now()`).length, 0)
})

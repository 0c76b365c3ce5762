import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import sharp from 'sharp'
import t from 'tap'
import { temporaryToken } from '../../../server/auth/file-tokens.js'
import { Browser, givePassword } from '../../support/browser.js'
import { readFile, upload } from '../../support/files.js'
import { basic } from '../../support/http.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const bytes = randomBytes(700_000) as Buffer<ArrayBuffer>
const owner = await server.person()
const png = await upload(server.url, owner, { name: 'a.png', bytes, type: 'image/png' })
const html = await upload(server.url, owner, { name: 'page.html', bytes: '<script>1</script>', type: 'text/html' })
const read = (path: string, headers?: Record<string, string>, who: Person | null = owner) =>
  readFile(server.url, who, path, headers)
const body = async (answer: Response) => Buffer.from(await answer.arrayBuffer())

t.test('headers make a file safe to show, and only some types are shown', async t => {
  const answer = await read(png)
  t.equal(answer.status, 200)
  t.match(Object.fromEntries(answer.headers), {
    'content-type': 'image/png',
    'content-disposition': 'inline; filename="a.png"',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cache-control': 'private, immutable',
    'accept-ranges': 'bytes',
    'content-security-policy': /^default-src 'none';/,
    'content-length': String(bytes.length),
  })
  t.ok(bytes.equals(await body(answer)))
  t.match((await read(html)).headers.get('content-disposition'), /^attachment/, 'a page is not shown')
  t.match(
    (await read(png.replace('/user_uploads/', '/user_uploads/download/'))).headers.get('content-disposition'),
    /^attachment/,
  )
  const svg = await upload(server.url, owner, { name: 'a.svg', bytes: '<svg/>', type: 'image/svg+xml' })
  t.match((await read(svg)).headers.get('content-disposition'), /^attachment/)
})

t.test('HEAD, ranges and conditions', async t => {
  const head = await fetch(server.url + png, { method: 'HEAD', headers: { Authorization: basic(owner) } })
  t.equal(head.status, 200)
  t.equal(head.headers.get('content-length'), String(bytes.length))
  t.equal((await body(head)).length, 0)
  const etag = head.headers.get('etag') ?? ''
  const ranges: [string, number, number][] = [
    ['bytes=0-0', 0, 1],
    ['bytes=10-300009', 10, 300_010],
    ['bytes=699990-', 699_990, 700_000],
    ['bytes=-10', 699_990, 700_000],
    ['bytes=699990-99999999', 699_990, 700_000],
  ]
  for (const [range, start, end] of ranges) {
    const part = await read(png, { Range: range, 'If-Range': etag })
    t.equal(part.status, 206, range)
    t.equal(part.headers.get('content-range'), `bytes ${start}-${end - 1}/700000`)
    t.ok(bytes.subarray(start, end).equals(await body(part)))
  }
  for (const range of ['bytes=700000-', 'bytes=-0']) {
    const none = await read(png, { Range: range })
    t.equal(none.status, 416, range)
    t.equal(none.headers.get('content-range'), 'bytes */700000')
  }
  for (const range of ['bytes=5-1', 'bytes=a-b', 'lines=1-2', 'bytes=0-1,5-6', 'bytes=-']) {
    t.equal((await read(png, { Range: range })).status, 200, `${range}: the whole file`)
  }
  t.equal((await read(png, { Range: 'bytes=0-0', 'If-Range': '"other"' })).status, 200)
  t.equal((await read(png, { 'If-None-Match': etag })).status, 304)
  t.equal((await read(png, { 'If-None-Match': '"other"' })).status, 200)
})

t.test('what is not there, wrong credentials, wrong methods, odd paths', async t => {
  const stranger = await server.person()
  t.equal((await read(png, {}, stranger)).status, 403)
  t.match(await (await read(png, {}, stranger)).json(), { result: 'error', code: 'BAD_REQUEST' })
  t.match(await (await read(png, { Accept: 'text/html,*/*' }, stranger)).text(), /^<!doctype html>.*not authorized/)
  t.equal((await read(`${png}x`)).status, 404)
  for (const path of [
    '/user_uploads/',
    '/user_uploads/1',
    '/user_uploads/1/..%2f..%2fetc/passwd',
    '/user_uploads/%ff',
    '/user_uploads/download/',
    '/user_uploads/thumbnail/x',
  ]) {
    t.equal((await read(path)).status, 404, path)
  }
  t.equal((await read(png, {}, null)).status, 401)
  t.equal((await read(png, {}, { ...owner, api_key: 'x'.repeat(32) } as Person)).status, 401)
  const posted = await fetch(server.url + png, { method: 'POST', body: 'x', headers: { Authorization: basic(owner) } })
  t.equal(posted.status, 405)
  t.equal(posted.headers.get('allow'), 'GET, HEAD')
})

t.test('a refusal is a picture where a page shows pictures', async t => {
  const stranger = await server.person()
  const missing = `${png}x`
  // Of pictures in Chromium, in Firefox, in older Safari.
  for (const accept of [
    'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8',
    'image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5',
    'image/*',
    'TEXT/HTML;Q=0.1, Image/PNG;Q=0.2',
  ]) {
    for (const [path, who, status] of [
      [missing, owner, 404],
      [png, stranger, 403],
      [png, null, 401],
      ['/user_uploads/temporary/x/y', null, 400],
    ] as const) {
      const answer = await read(path, { Accept: accept }, who)
      t.equal(answer.status, status, accept)
      t.match(Object.fromEntries(answer.headers), { 'content-type': 'image/png', vary: 'Accept' })
      t.match(await sharp(await body(answer)).metadata(), { format: 'png', height: 34 })
    }
  }
  const head = await fetch(server.url + missing, {
    method: 'HEAD',
    headers: { Accept: 'image/*', Authorization: basic(owner) },
  })
  t.equal(head.headers.get('content-type'), 'image/png')
  t.ok(Number(head.headers.get('content-length')) > 300)
  for (const [accept, type] of [
    ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8', /^text\/html/],
    ['text/html;q=0.5,image/png;q=0.5', /^text\/html/],
    ['image/png;q=0, */*', /^application\/json/],
    ['image/png;q=2', /^application\/json/],
    ['*/*', /^application\/json/],
    ['application/json', /^application\/json/],
    ['', /^application\/json/],
  ] as const) {
    const answer = await read(missing, { Accept: accept })
    t.equal(answer.status, 404)
    t.match(answer.headers.get('content-type'), type, accept)
  }
})

t.test('credentials in the query, and the cookie of a page', async t => {
  t.equal((await read(`${png}?api_key=${owner.api_key}`, {}, null)).status, 200)
  t.equal((await read(`${png}?api_key=${'x'.repeat(32)}`, {}, null)).status, 401)
  const page = new Browser(server.url)
  t.equal((await read(png, { Cookie: page.cookie }, null)).status, 401)
  await givePassword(server.sql, owner)
  await page.signIn(owner)
  t.equal((await read(png, { Cookie: `other=1; ${page.cookie}` }, null)).status, 200)
  t.equal((await read(png, { Cookie: page.cookie.replace('sessionid=', 'sessionid=x') }, null)).status, 401)
  await page.page('POST', '/accounts/logout/')
  t.equal((await read(png, { Cookie: page.cookie }, null)).status, 401, 'a sign-out ends it')
})

t.test('a temporary address: one file, for a minute, without credentials', async t => {
  const uploader = await server.person()
  const path = await upload(server.url, uploader, { name: 'Größe.txt', bytes: 'text' })
  const { url } = await uploader.ok('GET', path)
  t.match(url, /^\/user_uploads\/temporary\/[0-9a-z]+\/Gr%C3%B6%C3%9Fe\.txt$/)
  t.equal(await (await read(url, {}, null)).text(), 'text')
  t.equal(await (await read(url, {}, null)).text(), 'text', 'any number of times')
  t.equal((await read(url.replace(/[^/]+$/, 'other.txt'), {}, null)).status, 400)
  t.equal((await read(url.replace('temporary/', 'temporary/0'), {}, null)).status, 400)
  t.equal((await read('/user_uploads/temporary/', {}, null)).status, 400)
  const pathId = decodeURIComponent(path).replace('/user_uploads/', '')
  const old = temporaryToken({ directory: server.ctx.directory, clock: { now: () => Date.now() - 61_000 } }, pathId)
  t.match(await (await read(`/user_uploads/temporary/${old}/Gr%C3%B6%C3%9Fe.txt`, {}, null)).json(), {
    code: 'BAD_REQUEST',
  })
  const stranger = await server.person()
  t.equal((await stranger.get(path)).status, 403)
  t.equal((await stranger.get(`${path}x`)).status, 404)
  t.equal((await server.api(null).get(path)).status, 401)
})

t.test('a client that reads slowly gets everything; one that leaves costs nothing', async t => {
  const uploader = await server.person()
  const large = randomBytes(12_000_000) as Buffer<ArrayBuffer>
  const path = await upload(server.url, uploader, { name: 'large', bytes: large })
  const slow = await read(path, {}, uploader)
  const parts: Uint8Array[] = []
  for await (const part of slow.body as unknown as AsyncIterable<Uint8Array>) {
    parts.push(part)
    await new Promise(resolve => setTimeout(resolve, 1))
  }
  t.ok(large.equals(Buffer.concat(parts)))

  const { port } = new URL(server.url)
  for (let i = 0; i < 5; i++) {
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(`GET ${encodeURI(path)} HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic(uploader)}\r\n\r\n`)
    await new Promise(resolve => socket.once('data', resolve))
    socket.destroy()
  }
  t.equal((await read(path, { Range: 'bytes=0-3' }, uploader)).status, 206)
})

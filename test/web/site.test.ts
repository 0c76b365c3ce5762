import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import t from 'tap'
import { startServer } from '../support/server.js'

const server = await startServer(t)

interface Got {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

/** Without the unpacking that fetch does by itself. */
const get = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Got> =>
  new Promise((resolve, reject) => {
    const asking = request(server.url + path, { headers, method }, response => {
      const chunks: Buffer[] = []
      response.on('data', chunk => chunks.push(chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      )
    })
    asking.on('error', reject)
    asking.end()
  })

const scriptOf = (page: Buffer): string => /src="(\/assets\/[^"]+\.js)"/.exec(page.toString())?.[1] ?? ''

t.test('the page comes with a policy that trusts nothing but this server', async t => {
  const { status, headers } = await get('/')
  t.equal(status, 200)
  t.match(headers, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  })
  const policy = String(headers['content-security-policy'])
  for (const rule of [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ]) {
    t.ok(policy.split('; ').includes(rule), rule)
  }
  t.notMatch(policy, /unsafe|\*|https?:/)
})

t.test('the page itself holds no script and no style', async t => {
  const html = (await get('/')).body.toString()
  t.notMatch(html, /<style|<script(?![^>]* src=)|\son\w+=|\sstyle=/i)
})

t.test('the page loads no schemas of events, only the functions that apply them', async t => {
  const html = (await get('/')).body.toString()
  const scripts = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, path = '']) => path)
  t.ok(scripts.length > 0)
  for (const path of scripts) t.notMatch((await get(path)).body.toString(), /_zod\b/, path)
})

t.test('what has its content in its name is kept for ever, and comes packed', async t => {
  const script = scriptOf((await get('/')).body)
  t.match(script, /-[\w-]{8}\.js$/)
  const plain = await get(script)
  t.match(plain.headers, {
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': /javascript/,
    vary: 'Accept-Encoding',
  })
  t.notOk('content-encoding' in plain.headers)
  const zipped = await get(script, { 'accept-encoding': 'gzip, deflate' })
  t.equal(zipped.headers['content-encoding'], 'gzip')
  t.ok(gunzipSync(zipped.body).equals(plain.body))
  const brotli = await get(script, { 'accept-encoding': 'gzip, deflate, br' })
  t.equal(brotli.headers['content-encoding'], 'br')
  t.ok(brotliDecompressSync(brotli.body).equals(plain.body))
  t.equal((await get(script, { 'accept-encoding': 'gzip;q=1, br;q=0' })).headers['content-encoding'], 'gzip')
  t.notOk('content-encoding' in (await get(script, { 'accept-encoding': 'gzip;q=0, br;q=0.000' })).headers)
})

t.test('the page is small', async t => {
  const page = (await get('/')).body.toString()
  const files = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path as string)
  const sizes = await Promise.all(files.map(async path => (await get(path, { 'accept-encoding': 'gzip' })).body.length))
  const sum = sizes.reduce((all, size) => all + size, 0)
  t.ok(files.length >= 2)
  t.ok(sum <= 150_000, `${sum} bytes, packed`)
})

t.test('who has it already gets it no second time', async t => {
  const { headers } = await get('/')
  for (const known of [String(headers.etag), `"other", ${headers.etag}`, '*']) {
    const again = await get('/', { 'if-none-match': known })
    t.match(again, { status: 304, headers: { etag: headers.etag, 'content-security-policy': /none/ } })
    t.equal(again.body.length, 0)
  }
  t.equal((await get('/', { 'if-none-match': '"other"' })).status, 200)
})

t.test('HEAD returns the headers of GET', async t => {
  const [got, head] = [await get('/'), await get('/', {}, 'HEAD')]
  t.equal(head.body.length, 0)
  t.equal(head.headers['content-length'], String(got.body.length))
  t.equal(head.headers.etag, got.headers.etag)
})

t.test('what is refused', async t => {
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
    t.match(await get('/', {}, method), { status: 405, headers: { allow: 'GET, HEAD' } }, method)
  }
  for (const path of [
    '/index.html',
    '/assets/',
    '/assets/none.js',
    '/../package.json',
    '/%2e%2e/package.json',
    '/.stamp',
    '/favicon.svg.gz',
  ]) {
    t.equal((await get(path)).status, 404, path)
  }
})

import { gunzipSync } from 'node:zlib'
import t from 'tap'
import { startServer } from '../support/server.js'

const server = await startServer(t, { WIRE_BRAND: 'sample', ALLOWED_ORIGINS: 'https://app.example' })
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${server.url}/api/v1${path}`, { method, headers })

t.test(
  'the document is served without an account, under the brand of the server, and outside of the envelope',
  async t => {
    const response = await get('/openapi.json')
    t.equal(response.status, 200)
    t.equal(response.headers.get('content-type'), 'application/json')
    const document = (await response.json()) as { openapi: string; servers: unknown }
    t.equal(document.openapi, '3.1.1')
    t.same(document.servers, [{ url: '/api/v1' }])
    t.notOk('result' in document)
    t.ok(JSON.stringify(document).includes('"sample_feature_level"'))
  },
)

t.test('the server announces its own address if it has one', async t => {
  const other = await startServer(t, { PUBLIC_URL: 'https://chat.example/' }, server.organization)
  const document = (await (await fetch(`${other.url}/api/v1/openapi.json`)).json()) as { servers: unknown }
  t.same(document.servers, [{ url: 'https://chat.example/api/v1' }])
})

t.test('a client that has the current document gets 304', async t => {
  const first = await get('/openapi.json')
  const text = await first.text()
  const etag = String(first.headers.get('etag'))
  t.equal(first.headers.get('cache-control'), 'no-cache')
  for (const known of [etag, `"other", ${etag}`, '*']) {
    const again = await get('/openapi.json', { 'If-None-Match': known })
    t.equal(again.status, 304)
    t.equal(await again.text(), '')
    t.equal(again.headers.get('etag'), etag)
  }
  const other = await get('/openapi.json', { 'If-None-Match': 'W/"something else"' })
  t.equal(other.status, 200)
  t.ok((await other.text()) === text, 'the same text')
})

t.test('compressed for who reads that', async t => {
  const plain = await get('/openapi.json', { 'Accept-Encoding': 'identity' })
  t.equal(plain.headers.get('content-encoding'), null)
  const text = await plain.text()
  const zipped = await get('/openapi.json', { 'Accept-Encoding': 'gzip' })
  t.equal(zipped.headers.get('content-encoding'), 'gzip')
  t.equal(zipped.headers.get('vary'), 'Accept-Encoding')
  t.ok((await zipped.text()) === text, 'the same text')
  t.ok(gunzipSync(await compressed('/openapi.json')).toString() === text, 'and it is gzip')
})

t.test('the head without the body, and no other method', async t => {
  const head = await get('/openapi.json', { 'Accept-Encoding': 'identity' }, 'HEAD')
  t.equal(head.status, 200)
  t.ok(Number(head.headers.get('content-length')) > 10_000)
  t.equal(await head.text(), '')
  const options = await get('/docs', {}, 'OPTIONS')
  t.equal(options.status, 204)
  t.equal(options.headers.get('allow'), 'GET, HEAD, OPTIONS')
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    const refused = await get('/openapi.json', {}, method)
    t.equal(refused.status, 405)
    t.match(await refused.json(), { result: 'error', code: 'METHOD_NOT_ALLOWED' })
  }
  const withBody = await fetch(`${server.url}/api/v1/docs`, { method: 'POST', body: 'x'.repeat(100_000) })
  t.equal(withBody.status, 405)
})

t.test('the page to read it on holds all that it needs, and may load nothing else', async t => {
  const page = await get('/docs')
  t.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
  t.match(page.headers.get('content-security-policy'), /default-src 'none'.*script-src 'self';/)
  const html = await page.text()
  t.notMatch(html, /https?:\/\//)
  const needed = [...html.matchAll(/(?:src|href)="(docs\/[^"]+)"/g)].map(([, path]) => `/${path}`)
  t.equal(needed.length, 4)
  for (const path of needed) {
    const response = await get(path)
    t.equal(response.status, 200, path)
    t.match(response.headers.get('content-type'), path.endsWith('.css') ? /^text\/css/ : /^text\/javascript/)
    t.ok((await response.text()).length > 100, path)
  }
  t.equal((await get('/docs/swagger-ui-bundle.js.map')).status, 404)
  t.equal((await get('/docs/..%2f..%2fpackage.json')).status, 404)
})

t.test('pages of allowed origins may read the document', async t => {
  const allowed = await get('/openapi.json', { Origin: 'https://app.example' })
  t.equal(allowed.headers.get('access-control-allow-origin'), 'https://app.example')
  const other = await get('/openapi.json', { Origin: 'https://other.example' })
  t.equal(other.headers.get('access-control-allow-origin'), null)
})

/** The compressed bytes: fetch would decompress them. */
async function compressed(path: string): Promise<Buffer> {
  const { get } = await import('node:http')
  return new Promise((resolve, reject) => {
    get(`${server.url}/api/v1${path}`, { headers: { 'Accept-Encoding': 'gzip' } }, response => {
      const chunks: Buffer[] = []
      response.on('data', chunk => chunks.push(chunk))
      response.on('end', () => resolve(Buffer.concat(chunks)))
    }).on('error', reject)
  })
}

// Heads of requests, up to the documented limits and beyond: directly, and behind the documented nginx.
import t from 'tap'
import { head, RawConnection } from '../../http/raw.js'
import { type RawAnswer, valuesOf } from '../../http/raw-answer.js'
import { basic } from '../../support/http.js'
import { createPerson } from '../../support/people.js'
import { testOrganization } from '../../support/server.js'
import { base64, TusClient } from '../../support/tus.js'
import { startEdge } from './edge.js'

const organization = await testOrganization(t)
const edge = await startEdge(t, organization)
const owner = await createPerson(organization.sql, edge.url)
const authorization = { Authorization: basic(owner) }
const kilobyte = 1024
// As in docs/protocol/limits.md.
const mostBytes = 64 * kilobyte
const mostHeaders = 98
const json = ({ body }: RawAnswer) => JSON.parse(Buffer.from(body, 'latin1').toString())

/** A head of exactly so many bytes, which `make` makes with a text of any length. */
function sized(bytes: number, make: (text: string) => string): string {
  return make('a'.repeat(bytes - make('').length))
}

const makers: Readonly<Record<string, (text: string) => string>> = {
  'a query': text => head('GET', `/api/v1/users/me?x=${text}`, authorization),
  'a cookie of an operation': text => head('GET', '/api/v1/users/me', { ...authorization, Cookie: `sso=${text}` }),
  'a cookie of the page': text => head('GET', '/', { Cookie: `sso=${text}` }),
  'ten headers': text =>
    head('GET', '/api/v1/users/me', {
      ...authorization,
      ...Object.fromEntries(
        Array.from({ length: 10 }, (_, i) => [
          `X-Part-${i}`,
          text.slice((i * text.length) / 10, ((i + 1) * text.length) / 10),
        ]),
      ),
    }),
}
const upgradeHeaders = {
  ...authorization,
  Upgrade: 'websocket',
  Connection: 'Upgrade',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Version': 13,
}
const upgrade = (headers: Record<string, string | number>) => head('GET', '/api/v1/socket', headers)

for (const [where, endpoint] of Object.entries(edge.endpoints)) {
  const isProxied = endpoint.ca !== undefined

  /** The answer to these bytes on a connection of their own; in several pieces, as they come through networks. */
  async function ask(bytes: string, pieces = 1): Promise<RawAnswer> {
    const raw = new RawConnection(endpoint)
    const step = Math.ceil(bytes.length / pieces)
    for (let i = 0; i < bytes.length; i += step) {
      raw.write(bytes.slice(i, i + step))
      if (pieces > 1) await new Promise(resolve => setImmediate(resolve))
    }
    const answer = await raw.answer()
    raw.destroy()
    if (!answer) throw new Error(`no answer to ${bytes.slice(0, 100)}`)
    return answer
  }

  t.test(`${where}: heads of 1 to 60 kB are accepted, larger ones refused`, async t => {
    for (const [name, make] of Object.entries(makers)) {
      for (const size of [1, 4, 8, 60]) {
        for (const pieces of [1, 5]) {
          t.equal(
            (await ask(sized(size * kilobyte, make), pieces)).status,
            200,
            `${name}, ${size} kB in ${pieces} pieces`,
          )
        }
      }
      const refusal = await ask(sized(70 * kilobyte, make))
      t.equal(refusal.status, 431, `${name}, 70 kB`)
      if (!isProxied) t.match(refusal, { head: /^connection: close$/im, body: /<h1>/ })
    }
  })

  t.test(`${where}: the number of headers`, async t => {
    const headers = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`X-${i}`, '1']))
    // Host is one of them, and nginx adds some.
    const room = isProxied ? mostHeaders - 10 : mostHeaders - 1
    t.equal((await ask(head('GET', '/', headers(room)))).status, 200)
    t.equal((await ask(head('GET', '/', headers(mostHeaders)))).status, 431)
  })

  t.test(`${where}: long heads of ordinary clients`, async t => {
    const sent = await owner.ok('POST', '/messages', { type: 'direct', to: [owner.id], content: '漢字' })
    const ids = encodeURIComponent(JSON.stringify(Array.from({ length: 340 }, (_, i) => sent.id + i)))
    const byId = await ask(head('GET', `/api/v1/messages?message_ids=${ids}`, authorization))
    t.match(json(byId), { result: 'success', messages: [{ id: sent.id }] })
    const narrow = encodeURIComponent(JSON.stringify([{ operator: 'search', operand: '漢字'.repeat(225) }]))
    const query = `anchor=newest&num_before=10&num_after=0&narrow=${narrow}`
    t.match(json(await ask(head('GET', `/api/v1/messages?${query}`, authorization))), { result: 'success' })
    const length = { 'Tus-Resumable': '1.0.0', 'Upload-Length': 5, 'Content-Length': 0 }
    const metadata = `filename ${base64('a'.repeat(200))},note ${base64('b'.repeat(2800))}`
    t.ok(metadata.length > 4000)
    const upload = await ask(head('POST', '/api/v1/tus/', { ...authorization, ...length, 'Upload-Metadata': metadata }))
    t.equal(upload.status, 201)
    const { pathname } = new URL(valuesOf(upload, 'location')[0] ?? '')
    t.equal((await new TusClient(edge.url).ask(owner, 'HEAD', pathname)).headers.get('upload-metadata'), metadata)
  })

  t.test(`${where}: upgrades`, async t => {
    const good = await ask(upgrade(upgradeHeaders))
    t.equal(good.status, 101)
    t.same(valuesOf(good, 'sec-websocket-accept'), ['s3pPLMBiTxaQ9kYGzzhZRbK+xOo='])
    t.equal((await ask(upgrade({ ...upgradeHeaders, Cookie: `sso=${'a'.repeat(4200)}` }))).status, 101)
    t.equal((await ask(sized(60 * kilobyte, Cookie => upgrade({ ...upgradeHeaders, Cookie })))).status, 101)
    const { 'Sec-WebSocket-Key': _, ...withoutKey } = upgradeHeaders
    t.match(await ask(upgrade(withoutKey)), { status: 426, body: /"code":"BAD_REQUEST"/ })
    t.match(await ask(upgrade({ ...upgradeHeaders, 'Sec-WebSocket-Key': 'x' })), { status: 426 })
    t.match(await ask(upgrade({ ...upgradeHeaders, 'Sec-WebSocket-Version': 8 })), { status: 400 })
    t.match(await ask(upgrade({ ...upgradeHeaders, 'Sec-WebSocket-Protocol': 'x' })), { status: 400 })
    t.match(await ask(upgrade({ ...upgradeHeaders, Origin: 'https://elsewhere.example' })), { status: 403 })
  })
}

t.test('the limit is exact', async t => {
  const { directly } = edge.endpoints
  for (const [bytes, status] of [
    [mostBytes, 200],
    [mostBytes + 1, 431],
  ] as const) {
    const raw = new RawConnection(directly ?? { port: 0 })
    const make = makers['a cookie of the page'] ?? String
    t.equal((await raw.write(sized(bytes, make)).answer())?.status, status, `${bytes} bytes`)
    raw.destroy()
  }
})

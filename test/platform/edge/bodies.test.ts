// Bodies of requests, up to the documented limits and beyond: directly, and behind the documented nginx.
import t from 'tap'
import { head, RawConnection } from '../../http/raw.js'
import { closes, type RawAnswer } from '../../http/raw-answer.js'
import { basic } from '../../support/http.js'
import { createPerson } from '../../support/people.js'
import { testOrganization } from '../../support/server.js'
import { startEdge } from './edge.js'

const organization = await testOrganization(t)
const edge = await startEdge(t, organization, { BODY_SECONDS: '2' })
const owner = await createPerson(organization.sql, edge.url)
const form = { Authorization: basic(owner), 'Content-Type': 'application/x-www-form-urlencoded' }
const path = '/api/v1/messages/render'
// As in docs/protocol/limits.md.
const mostBytes = 2 * 1024 * 1024
const post = (length: number | string, body: string) => head('POST', path, { ...form, 'Content-Length': length }) + body
const chunked = head('POST', path, { ...form, 'Transfer-Encoding': 'chunked' })
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
/** A form of this size; the operation ignores its last parameter. */
const formOf = (bytes: number) => 'content=hello&ignored='.padEnd(bytes, 'a')
const rendered = { status: 200, body: /"rendered":"<p>hello/ }
const ofCode = (status: number, code: string) => ({ status, body: new RegExp(`"code":"${code}"`) })

for (const [where, endpoint] of Object.entries(edge.endpoints)) {
  /** The first answer to these bytes, and whether the connection then serves another request. */
  async function ask(bytes: string): Promise<{ answer: RawAnswer | undefined; isReusable: boolean }> {
    const raw = new RawConnection(endpoint).write(bytes)
    const answer = await raw.answer()
    const next =
      answer && !closes(answer) ? await raw.write(head('GET', '/api/v1/server_settings')).answer() : undefined
    raw.destroy()
    return { answer, isReusable: next?.status === 200 }
  }

  t.test(`${where}: bodies with a length`, async t => {
    t.match(await ask(post(0, '')), { answer: ofCode(400, 'REQUEST_VARIABLE_MISSING'), isReusable: true })
    t.match(await ask(post(1, 'a')), { answer: ofCode(400, 'REQUEST_VARIABLE_MISSING'), isReusable: true })
    t.match(await ask(post(13, 'content=hello')), { answer: rendered, isReusable: true })
    t.match(await ask(post(mostBytes, formOf(mostBytes))), { answer: rendered, isReusable: true })
    t.match(await ask(post(mostBytes + 1, formOf(mostBytes + 1))), { answer: ofCode(413, 'REQUEST_TOO_LARGE') })
    t.match(await ask(post(50_000_000, '')), { answer: ofCode(413, 'REQUEST_TOO_LARGE') }, 'announced and not sent')
  })

  t.test(`${where}: bodies in chunks`, async t => {
    t.match((await ask(`${chunked}0\r\n\r\n`)).answer, ofCode(400, 'REQUEST_VARIABLE_MISSING'))
    t.match((await ask(`${chunked}${chunk('content=')}${chunk('hello')}0\r\n\r\n`)).answer, rendered)
    const piece = chunk('a'.repeat(64 * 1024))
    t.match((await ask(`${chunked}${chunk('content=hello&ignored=')}${piece.repeat(31)}0\r\n\r\n`)).answer, rendered)
    t.match((await ask(`${chunked}${piece.repeat(40)}0\r\n\r\n`)).answer, ofCode(413, 'REQUEST_TOO_LARGE'))
  })

  t.test(`${where}: wrong lengths`, async t => {
    t.match((await ask(post(500, 'content=hello'))).answer, ofCode(408, 'REQUEST_TIMEOUT'), 'too long')
    const lengths = ['x', '-1', '+13', '13\r\nContent-Length: 13', '13\r\nTransfer-Encoding: chunked']
    // nginx passes it on without the zero.
    if (endpoint.ca === undefined) lengths.push('013')
    for (const length of lengths) {
      t.match(await ask(post(length, 'content=hello')), { answer: { status: 400 }, isReusable: false }, length)
    }
    const raw = new RawConnection(endpoint).write(`${post(13, 'content=hello')}more`)
    t.match(await raw.answer(), rendered, 'too short')
    const next = await raw.write(head('GET', '/api/v1/server_settings')).answer()
    t.ok(next === undefined || next.status >= 400, 'what follows is no request')
    raw.destroy()
  })
}

// What a request to a route of the native layer costs as its path, query, headers and body grow: files, pages, pictures, tus, monitoring.
import t from 'tap'
import { head, RawConnection } from '../http/raw.js'
import { basic } from '../support/http.js'
import { nativePaths } from '../support/native-paths.js'
import { createPerson } from '../support/people.js'
import { testOrganization } from '../support/server.js'
import { boundsFor } from './bounds.js'
import { type Cost, complaintOf, smallerOf } from './cost-rules.js'
import { MeasuredServer } from './measured-server.js'

const organization = await testOrganization(t)
const server = await MeasuredServer.start(t, organization)
const owner = await createPerson(organization.sql, server.url)
const paths = await nativePaths(server.nativeRoutes, { ...server, sql: organization.sql }, owner)
const port = Number(new URL(server.url).port)
const mostRepeats = 9
// Bytes; a head has 64 KiB.
const headSizes = [100, 6000, 60_000]
const bodySizes = [100, 10_000, 1_000_000]

// An operation may cost much more: these routes read a row, a file or an answer that is kept.
const { refusedMs, ...others } = boundsFor(server.slowness)
const bounds = { ...others, refusedMs, withinMs: refusedMs }

type Make = (path: string, text: (piece: string) => string) => string
const known = { Authorization: basic(owner) }
const byHeader =
  (name: string, piece: string, more: Readonly<Record<string, string>> = {}): Make =>
  (path, text) =>
    head('GET', path, { ...known, ...more, [name]: text(piece) })

/** Requests by what grows in them. */
const growing: Readonly<Record<string, Make>> = {
  'a path': (path, text) => head('GET', `${path}/${text('a')}`, known),
  'a path of escapes': (path, text) => head('GET', `${path}/${text('%41')}`, known),
  'a path of slashes': (path, text) => head('GET', path.replace(/^/, text('/')), known),
  'a path of dots': (path, text) => head('GET', `${path}/${text('../')}`, known),
  'a query': (path, text) => head('GET', `${path}?x=${text('a')}`, known),
  'pairs of a query': (path, text) => head('GET', `${path}?${text('a=b&')}`, known),
  'a key in the query': (path, text) => head('GET', `${path}?api_key=${text('a')}`),
  'a list of ranges': byHeader('Range', '0-0,'),
  'a range': byHeader('Range', '1'),
  'a list of tags': byHeader('If-None-Match', '"a",'),
  'a list of encodings': byHeader('Accept-Encoding', 'gzip;q=0,'),
  'a list of types': byHeader('Accept', 'image/a,'),
  'a type of spaces': byHeader('Accept', ' '),
  'a list of cookies': byHeader('Cookie', 'a=b; '),
  'a key': (path, text) => head('GET', path, { Authorization: `Basic ${text('A')}` }),
  'a token': (path, text) => head('GET', path, { Authorization: `Bearer ${text('A')}` }),
  'an origin': byHeader('Origin', 'a'),
  'a list of addresses': byHeader('X-Forwarded-For', '1.1.1.1,'),
  'metadata of an upload': (path, text) =>
    head('POST', path, { ...known, 'Tus-Resumable': '1.0.0', 'Upload-Length': 1, 'Upload-Metadata': text('a YQ==,') }),
  'metadata of spaces': (path, text) =>
    head('POST', path, { ...known, 'Tus-Resumable': '1.0.0', 'Upload-Length': 1, 'Upload-Metadata': `a${text(' ')}b` }),
}
const body: Make = (path, text) => {
  const sent = text('a')
  return head('POST', path, { ...known, 'Content-Length': sent.length }) + sent
}

const textOf = (size: number) => (piece: string) => piece.repeat(Math.ceil(size / piece.length)).slice(0, size)

async function costOf(make: Make, path: string, size: number): Promise<Cost> {
  const bytes = make(path, textOf(size))
  const raw = new RawConnection({ port })
  const { result: answer, cpuMs } = await server.cpuOf(() => raw.write(bytes).answer())
  raw.destroy()
  if (!answer) throw new Error(`no answer for ${size} bytes`)
  if (answer.status >= 500) throw new Error(`status ${answer.status} for ${size} bytes`)
  return {
    size,
    requestBytes: bytes.length,
    cpuMs,
    answerBytes: answer.body.length,
    status: answer.status,
    isBeyond: false,
  }
}

async function costsOf(make: Make, path: string, sizes: readonly number[]): Promise<Cost[]> {
  const costs: Cost[] = []
  for (const size of sizes) costs.push(await costOf(make, path, size))
  return costs
}

async function complaint(make: Make, path: string, sizes: readonly number[]): Promise<string | null> {
  let costs = await costsOf(make, path, sizes)
  for (let again = 0; again < mostRepeats && complaintOf(costs, bounds) !== null; again++) {
    costs = smallerOf(costs, await costsOf(make, path, sizes))
  }
  return complaintOf(costs, bounds)
}

for (const [pattern, all] of paths) {
  t.test(pattern, async t => {
    for (const path of all) {
      for (const [name, make] of Object.entries(growing))
        t.equal(await complaint(make, path, headSizes), null, `${path}: ${name}`)
      // The path of a socket refuses a body unread and closes the connection, which cuts off a client that is still sending.
      const sizes = path.endsWith('/socket') ? bodySizes.slice(0, 2) : bodySizes
      t.equal(await complaint(body, path, sizes), null, `${path}: a body`)
    }
  })
}

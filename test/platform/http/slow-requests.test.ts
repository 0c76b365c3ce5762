// The log of slow requests: where their time went, who sent them, and nothing of what they said.
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import WebSocket from 'ws'
import { connect as connectClient } from '../../../shared/client/index.js'
import { basic } from '../../support/http.js'
import { spawnServer, type TestServer } from '../../support/server.js'
import { Heard, type Line } from './heard.js'

const thresholdMs = 100
// How long a statement waits for a lock, in ms.
const heldMs = 200
const client = '203.0.113.5'
const secret = 'not a word of this'

const isSlow = ({ msg }: Line) => msg === 'slow request'

/** Runs a request while nobody but the test may use a table, for `forMs` after a statement of the request has begun to wait. */
async function whileLocked<T>(
  { sql }: TestServer,
  table: string,
  request: () => Promise<T>,
  forMs = heldMs,
): Promise<T> {
  let answer: Promise<T> | undefined
  await sql.begin(async tx => {
    await tx.unsafe(`lock table ${table} in access exclusive mode`)
    answer = request()
    answer.catch(() => undefined)
    for (;;) {
      const waiting = await sql`select from pg_locks where not granted and relation = ${table}::regclass`
      if (waiting.length > 0) break
    }
    await sleep(forMs)
  })
  return answer as Promise<T>
}

t.test('slow requests', async t => {
  const server = await spawnServer(t, {
    SLOW_REQUEST_MS: String(thresholdMs),
    TRUSTED_PROXIES: '127.0.0.1',
    LOG_LEVEL: 'info',
    RATE_LIMIT_USER: '0',
  })
  const heard = new Heard(server.process)
  const person = await server.person({ role: 200 })
  const ask = (method: string, path: string, params: Record<string, string> = {}, signal?: AbortSignal) => {
    const query = method === 'GET' ? `?${new URLSearchParams(params)}` : ''
    return fetch(`${server.url}/api/v1${path}${query}`, {
      method,
      headers: { Authorization: basic(person), 'X-Forwarded-For': client },
      ...(method === 'GET' ? {} : { body: new URLSearchParams(params) }),
      ...(signal && { signal }),
    })
  }
  const lineOf = (answer: Response) =>
    heard.line(line => isSlow(line) && line.requestId === answer.headers.get('x-request-id'))
  const parts = ['authenticateMs', 'waitMs', 'parseMs', 'handleMs', 'encodeMs'] as const
  const draft = JSON.stringify([{ type: '', to: [], topic: '', content: secret, timestamp: 1_790_000_000 }])

  await t.test('a change that waits for the database', async t => {
    const answer = await whileLocked(server, 'drafts', () => ask('POST', '/drafts', { drafts: draft }))
    t.equal(answer.status, 200)
    const line = await lineOf(answer)
    t.match(line, { level: 30, operation: 'create_drafts', status: 200, user: person.id, address: client })
    t.match(line, { bytesIn: Number, bytesOut: Number, writeMs: Number, busyMs: Number })
    t.ok(Number(line.databaseMs) >= heldMs, `${line.databaseMs} ms in the database`)
    t.equal(line.statements, 2, 'one that opens, and one that stores')
    t.ok(Number(line.handleMs) >= Number(line.databaseMs))
    t.ok(Number(line.ms) >= Number(line.handleMs))
    const sum = parts.reduce((all, part) => all + Number(line[part]), 0)
    t.ok(sum <= Number(line.ms) + 1, `${sum} of ${line.ms} ms: the parts do not overlap`)
    t.ok(Number(line.busyMs) < heldMs, 'the event loop did not work meanwhile')
  })

  await t.test('a read, and a message whose statement is shared', async t => {
    const read = await lineOf(await whileLocked(server, 'drafts', () => ask('GET', '/drafts')))
    t.match(read, { operation: 'get_drafts', statements: 1, address: client })
    t.ok(Number(read.databaseMs) >= heldMs)
    const message = { type: 'direct', to: JSON.stringify([person.id]), content: secret }
    const sent = await lineOf(await whileLocked(server, 'messages', () => ask('POST', '/messages', message)))
    t.match(sent, { operation: 'send_message', user: person.id })
    t.ok(Number(sent.databaseMs) >= heldMs)
  })

  await t.test('a refusal has the parts that it came to', async t => {
    await server.sql`alter table drafts rename to elsewhere`
    const failed = await ask('GET', '/drafts')
    t.equal(failed.status, 500)
    const said = await heard.line(
      ({ msg, requestId }) => msg === 'an operation failed' && requestId === failed.headers.get('x-request-id'),
    )
    t.match(said, { operation: 'get_drafts', address: client })
    await server.sql`alter table elsewhere rename to drafts`
  })

  await t.test('a client that leaves is named', async t => {
    const leaving = new AbortController()
    const left = whileLocked(server, 'drafts', () => ask('GET', '/drafts', {}, leaving.signal), 1500)
    setTimeout(() => leaving.abort(), 1000)
    await t.rejects(left)
    const line = await heard.line(line => isSlow(line) && line.gone === true)
    t.match(line, { operation: 'get_drafts', user: person.id, address: client })
  })

  await t.test('a request over a socket', async t => {
    const remote = connectClient({
      url: server.url,
      email: person.email,
      apiKey: person.api_key,
      webSocket: WebSocket,
      register: { event_types: [] },
    })
    t.teardown(() => remote.close())
    await remote.registered
    await whileLocked(server, 'saved_snippets', () => remote.request('GET', '/saved_snippets'))
    const line = await heard.line(line => isSlow(line) && line.operation === 'get_saved_snippets')
    t.match(line, { user: person.id, statements: 1, requestId: /^[\w-]+$/, address: '127.0.0.1' })
  })

  await t.test('neither the wait of a poll counts, nor that for the bytes of a client', async t => {
    const { queue_id } = await person.ok('POST', '/register', { event_types: ['message'], fetch_event_types: [] })
    const poll = person.ok('GET', '/events', { queue_id, last_event_id: -1 })
    const since = performance.now()
    const head = await slowUpload(server.url, basic(person), 3 * thresholdMs)
    const passed = performance.now() - since
    t.match(head, /^HTTP\/1\.1 200 /)
    await person.ok('POST', '/messages', { type: 'direct', to: [person.id], content: 'an event' })
    await poll
    await lineOf(await whileLocked(server, 'drafts', () => ask('GET', '/drafts')))
    const slow = heard.lines.filter(isSlow)
    t.notOk(slow.some(({ operation }) => operation === 'get_events'))
    // Storing the file may be slow by itself.
    const upload = slow.find(({ operation }) => operation === 'upload_file')
    if (upload) t.ok(Number(upload.ms) + Number(upload.bodyMs) <= passed + 1, 'the wait for bytes is no part of it')
  })

  t.notMatch(heard.text, secret)
})

/** Sends the two halves of a form with a file, the second one after a while; resolves with the head of the answer. */
async function slowUpload(url: string, authorization: string, pauseMs: number): Promise<string> {
  const { hostname, port } = new URL(url)
  const form = ['--b', 'Content-Disposition: form-data; name="f"; filename="a.txt"', '', 'text', '--b--', ''].join(
    '\r\n',
  )
  const socket = connect(Number(port), hostname)
  const answer = new Promise<string>((resolve, reject) => {
    socket.once('data', data => resolve(String(data)))
    socket.once('error', reject)
  })
  socket.write(
    `POST /api/v1/user_uploads HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n` +
      `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${form.length}\r\n\r\n${form.slice(0, 40)}`,
  )
  await sleep(pauseMs)
  socket.write(form.slice(40))
  const head = await answer
  socket.destroy()
  return head
}

t.test('0 switches it off', async t => {
  const server = await spawnServer(t, { SLOW_REQUEST_MS: '0', LOG_LEVEL: 'info' })
  const heard = new Heard(server.process)
  const person = await server.person()
  await whileLocked(server, 'drafts', () => person.ok('GET', '/drafts'), 1200)
  await server.stop()
  t.equal(heard.lines.filter(isSlow).length, 0)
})

import { once } from 'node:events'
import { request } from 'node:https'
import { text } from 'node:stream/consumers'
import { connect as connectSecurely } from 'node:tls'
import t from 'tap'
import WebSocket from 'ws'
import { connect } from '../../../shared/client/index.js'
import { until } from '../../support/client-log.js'
import { spawnServer, testOrganization } from '../../support/server.js'
import { missing, startProxy } from './nginx.js'

// The documented proxy in front of two real servers, used over TLS with certificate verification.
t.test('the documented nginx configuration', { skip: missing }, async t => {
  const organization = await testOrganization(t)
  const settings = { TRUSTED_PROXIES: '127.0.0.1' }
  const first = await spawnServer(t, settings, organization)
  const second = await spawnServer(t, settings, organization)
  const proxy = await startProxy(t, [first.url, second.url])
  const person = await first.person({ role: 200 })
  const authorization = `Basic ${Buffer.from(`${person.email}:${person.api_key}`).toString('base64')}`

  interface Answer {
    status: number
    body: Record<string, unknown>
  }

  async function ask(method: string, path: string, fields: Record<string, string> = {}): Promise<Answer> {
    const query = new URLSearchParams(fields).toString()
    const inBody = method === 'POST'
    const call = request(`${proxy.https}${path}${inBody || query === '' ? '' : `?${query}`}`, {
      method,
      ca: proxy.ca,
      headers: { authorization, ...(inBody ? { 'content-type': 'application/x-www-form-urlencoded' } : {}) },
    })
    call.end(inBody ? query : undefined)
    const [response] = await once(call, 'response')
    const body = await text(response)
    return { status: response.statusCode, body: body.startsWith('{') ? JSON.parse(body) : { text: body } }
  }

  const send = (content: string) =>
    ask('POST', '/api/v1/messages', { type: 'direct', to: JSON.stringify([person.id]), content })

  /** A socket that checks the certificate. */
  class Secure extends WebSocket {
    constructor(url: string, protocols: string[]) {
      super(url, protocols, { ca: proxy.ca })
    }
  }

  t.test('plain HTTP is sent on to TLS', async t => {
    const answer = await fetch(`${proxy.http}/api/v1/users/me?x=1`, { redirect: 'manual' })
    t.equal(answer.status, 308)
    t.match(answer.headers.get('location'), /^https:\/\/127\.0\.0\.1\/api\/v1\/users\/me\?x=1$/)
  })

  t.test('operations are answered, with the server’s own words for what it refuses', async t => {
    t.match(await ask('GET', '/api/v1/users/me'), { status: 200, body: { user_id: person.id } })
    t.match(await ask('GET', '/api/v1/nowhere'), { status: 404, body: { code: 'NOT_FOUND' } })
  })

  t.test('no answer names the program behind it, whatever was sent', async t => {
    const socket = (bytes: string) =>
      new Promise<string>((resolve, reject) => {
        const { hostname, port } = new URL(proxy.https)
        let text = ''
        const raw = connectSecurely({ host: hostname, port: Number(port), ca: proxy.ca })
        raw.on('data', chunk => {
          text += chunk.toString('latin1')
        })
        raw.on('error', reject)
        raw.on('close', () => resolve(text))
        raw.write(bytes)
      })
    const line = 'GET /api/v1/server_settings HTTP/1.1\r\nHost: chat.example\r\nConnection: close\r\n'
    for (const [bytes, status] of [
      [`${line}${'X-A: 1\r\n'.repeat(300)}\r\n`, 431],
      [`${line}Content-Length: +5\r\n\r\n`, 400],
      [`${line}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`, 400],
      ['GARBAGE\r\n\r\n', 400],
      ['GET / HTTP/3.7\r\nHost: chat.example\r\n\r\n', 505],
      [`${line}\r\n`, 200],
    ] as const) {
      const answer = await socket(bytes)
      t.match(answer, new RegExp(`^HTTP/1.1 ${status} `), bytes.slice(0, 40))
      t.notMatch(answer, /uwebsockets/i)
    }
  })

  t.test('what is for the watchers is not for the world', async t => {
    for (const path of ['/metrics', '/health/ready', '/health/live'])
      t.match(await ask('GET', path), { status: 404, body: { text: /nginx/ } })
  })

  t.test('a long-poll waits, and gets the event', async t => {
    const { body } = await ask('POST', '/api/v1/register', { event_types: '["message"]' })
    const queue = { queue_id: String(body.queue_id), last_event_id: '-1' }
    const poll = ask('GET', '/api/v1/events', queue)
    const early = await Promise.race([poll, ask('GET', '/api/v1/users/me')])
    t.match(early.body, { user_id: person.id }, 'others are answered while it waits')
    t.match(await send('to a poll'), { status: 200 })
    t.match(await poll, {
      status: 200,
      body: { events: [{ type: 'message', message: { content: 'to a poll' } }] },
    })
  })

  t.test('sockets work, and go on at the other server when theirs is killed', async t => {
    const contents: string[] = []
    const client = connect({
      url: proxy.https,
      email: person.email,
      apiKey: person.api_key,
      webSocket: Secure,
      codec: 'msgpack',
      register: { event_types: ['message'], apply_markdown: false },
      backoff: { firstMs: 50, maxMs: 200 },
    })
    t.teardown(() => client.close())
    client.on('message', ({ message }) => contents.push(message.content))
    await client.registered
    await send('by socket')
    await until(() => contents.length === 1)

    first.process.kill('SIGKILL')
    await once(first.process, 'exit')
    const expected = ['by socket']
    for (let i = 0; i < 20; i++) {
      const { status } = await send(`message ${i}`)
      t.equal(status, 200, 'the other server answers')
      expected.push(`message ${i}`)
    }
    await until(() => contents.length >= expected.length)
    t.same(contents, expected)
  })
})

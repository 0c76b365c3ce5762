// Log lines about requests: enough to follow a request to its events, and no secrets.
import { SignJWT } from 'jose'
import t from 'tap'
import WebSocket from 'ws'
import { hashPassword } from '../../../server/auth/passwords.js'
import { basic } from '../../support/http.js'
import { spawnServer } from '../../support/server.js'
import { Heard } from './heard.js'

t.test('at level info an administrative change is joined to its events, and nothing else is logged', async t => {
  const server = await spawnServer(t, { LOG_LEVEL: 'info' })
  const heard = new Heard(server.process)
  const administrator = await server.person({ role: 200 })
  const { queue_id } = await administrator.ok('POST', '/register', {
    event_types: ['user_group'],
    fetch_event_types: [],
  })
  const { headers } = await administrator.post('/user_groups/create', {
    name: 'drummers',
    description: 'loud',
    members: [administrator.id],
  })
  const requestId = headers.get('x-request-id')
  const { events } = await administrator.ok('GET', '/events', { queue_id, last_event_id: -1 })
  const told = await heard.line(line => line.msg === 'published' && line.requestId === requestId)
  t.match(told, { level: 30, operation: 'create_user_group', user: administrator.id, address: '127.0.0.1' })
  for (const { id } of events as { id: number }[]) t.ok((told.events as number[]).includes(id), `event ${id}`)
  t.equal(heard.lines.filter(line => line.requestId !== undefined).length, 1)
  t.notMatch(heard.text, /drummers|loud/, 'what the request said is not told')
})

t.test('at level debug every request is logged, with the ids of its events', async t => {
  const server = await spawnServer(t, { LOG_LEVEL: 'debug' })
  const heard = new Heard(server.process)
  const person = await server.person()
  await person.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'told' }] })
  const { queue_id } = await person.ok('POST', '/register', { event_types: ['message'], fetch_event_types: [] })
  const sent = await person.post('/messages', { type: 'channel', to: 'told', topic: 'x', content: 'not in the log' })
  const requestId = sent.headers.get('x-request-id')
  const { events } = await person.ok('GET', '/events', { queue_id, last_event_id: -1 })
  const published = await heard.line(line => line.msg === 'published' && line.requestId === requestId)
  t.match(published, { level: 20, operation: 'send_message', user: person.id })
  t.ok((published.events as number[]).includes((events as { id: number }[])[0]?.id ?? 0))
  const answered = await heard.line(line => line.msg === 'answered' && line.requestId === requestId)
  t.match(answered, {
    level: 20,
    method: 'POST',
    route: '/messages',
    status: 200,
    user: person.id,
    ms: Number,
    address: '127.0.0.1',
  })
  const strange = await fetch(`${server.url}/api/v1/messages/a-secret-in-a-path?api_key=another`)
  const refused = await heard.line(
    line => line.msg === 'answered' && line.requestId === strange.headers.get('x-request-id'),
  )
  t.match(refused, { status: strange.status, address: '127.0.0.1' })
  t.notMatch(heard.text, /not in the log|a-secret-in-a-path|another/)
})

t.test('each request has an id of its own; a given id is accepted only from a trusted proxy', async t => {
  const server = await spawnServer(t)
  const ask = async (given: string) =>
    (await fetch(`${server.url}/api/v1/server_settings`, { headers: { 'x-request-id': given } })).headers.get(
      'x-request-id',
    )
  const [first, second] = [await ask('mine'), await ask('mine')]
  t.match(first, /^[0-9a-f]{8}-[0-9a-z]+$/)
  t.not(first, second)
  const trusting = await spawnServer(t, { TRUSTED_PROXIES: '127.0.0.1' })
  const through = async (given: string) => {
    const headers = { 'x-request-id': given, 'x-forwarded-for': '203.0.113.5' }
    return (await fetch(`${trusting.url}/api/v1/server_settings`, { headers })).headers.get('x-request-id')
  }
  t.equal(await through('edge-1.2_3'), 'edge-1.2_3', 'of a trusted proxy it is')
  for (const strange of ['a b', 'x'.repeat(65), '{"a":1}', 'ä']) t.not(await through(strange), strange)
})

t.test('no key, password or token is ever in the log, at whatever level', async t => {
  const jwtSecret = 'a-jwt-secret-of-enough-characters-here'
  const metricsToken = 'a-metrics-token-of-this-test'
  const server = await spawnServer(t, {
    LOG_LEVEL: 'trace',
    JWT_SECRETS: JSON.stringify([{ alg: 'HS256', key: jwtSecret }]),
    METRICS_TOKEN: metricsToken,
  })
  const heard = new Heard(server.process)
  const [owner, person] = [await server.person({ role: 100 }), await server.person()]
  const password = 'the right pass-phrase 71'
  await server.sql`update users set password_hash = ${await hashPassword(password)} where id = ${person.id}`
  const spectator = server.api(null)
  const secrets = [owner.api_key, person.api_key, password, jwtSecret, metricsToken]
  const hide = (secret: string) => {
    secrets.push(secret)
    return secret
  }
  const token = await new SignJWT({ email: person.email })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(jwtSecret))
  hide(token)

  t.equal((await spectator.post('/fetch_api_key', { username: person.email, password })).status, 200)
  const wrong = hide('the wrong pass-phrase 72')
  t.equal((await spectator.post('/fetch_api_key', { username: person.email, password: wrong })).status, 401)
  t.equal((await spectator.post('/jwt/fetch_api_key', { token })).status, 200)
  t.not((await spectator.post('/jwt/fetch_api_key', { token: hide(`${token.slice(0, -4)}AAAA`) })).status, 200)
  const renewed = await person.ok('POST', '/users/me/api_key/regenerate')
  const key = hide(String(renewed.api_key))
  t.equal((await person.get('/users/me')).status, 401, 'the old one')
  t.equal((await server.api({ email: person.email, api_key: key }).get('/users/me')).status, 200)
  const guessed = hide('0123456789abcdef0123456789abcdef')
  t.equal((await server.api({ email: person.email, api_key: guessed }).get('/users/me')).status, 401)
  hide(basic({ email: person.email, api_key: key }).slice('Basic '.length))
  const initial = hide('an initial pass-phrase 73')
  const made = await owner.post('/users', { email: 'new@test.example', full_name: 'New', password: initial })
  t.ok([200, 400, 403].includes(made.status))
  const changed = hide('another pass-phrase 74')
  const changing = server.api({ email: person.email, api_key: key })
  await changing.patch('/settings', { old_password: password, new_password: changed })
  for (const given of [metricsToken, hide('a-wrong-metrics-token')]) {
    await (await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${given}` } })).text()
  }
  for (const api_key of [key, guessed]) await frames(server.url, person.email, api_key)
  const inQuery = await fetch(`${server.url}/api/v1/users/me?api_key=${key}&password=${changed}`)
  await heard.line(line => line.msg === 'answered' && line.requestId === inQuery.headers.get('x-request-id'))
  await server.stop()
  t.ok(heard.lines.filter(line => line.msg === 'answered').length >= 12, 'it was told of, though')
  for (const secret of secrets) {
    t.notOk(heard.text.includes(secret), `not ${secret.slice(0, 6)}…`)
    t.notOk(heard.text.includes(encodeURIComponent(secret)), 'nor as it stands in a query')
    t.notOk(heard.text.includes(Buffer.from(secret).toString('base64').replace(/=+$/, '')), 'nor in base64')
  }
})

/** Signs in on a socket, sends a request, and then invalid bytes. */
async function frames(url: string, email: string, api_key: string): Promise<void> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/v1/socket`, 'chat.v1.json')
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  const ended = new Promise(resolve => socket.once('close', resolve))
  socket.send(JSON.stringify({ op: 'auth', id: 1, email, api_key }))
  socket.send(JSON.stringify({ op: 'request', id: 2, method: 'GET', path: '/users/me', params: { api_key } }))
  socket.send(JSON.stringify({ op: 'nonsense', api_key }))
  for (let i = 0; i < 3; i++) socket.send(`not JSON ${api_key}`)
  await ended
}

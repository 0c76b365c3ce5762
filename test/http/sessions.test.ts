// Sessions of pages: refusals first.
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import WebSocket from 'ws'
import { openSocket, SocketClient } from '../socket/socket-client.js'
import { Browser, givePassword, password } from '../support/browser.js'
import { startServer } from '../support/server.js'
import { until } from './until.js'

const settings = { RATE_LIMIT_ADDRESS: '0', SIGN_IN_LIMIT_ADDRESS: '0' }
const server = await startServer(t, settings)
// Another worker of the same organization.
const other = await startServer(t, settings, server.organization)
const [ann, bob] = [await server.person(), await server.person()]
await givePassword(server.sql, ann, bob)
const browser = () => new Browser(server.url)
const signedIn = (person = ann) => browser().signIn(person)
const session = 'sessionid'

/** The same browser at the other worker: a proxy in front of both has one origin. */
function atOther(from: Browser): Browser {
  const there = new Browser(other.url)
  for (const [name, value] of from.cookies) there.cookies.set(name, value)
  return there
}

async function refusedSocket(headers: Record<string, string>): Promise<unknown> {
  const answer = await openSocket({ url: `${server.url}/json` }, { headers }).catch(
    (response: { statusCode?: number }) => response.statusCode,
  )
  if (typeof answer === 'number' || answer === undefined) return answer
  return (await answer.closed()).code
}

t.test('a request that no own page made changes nothing, and no other credentials count', async t => {
  const page = await signedIn()
  const token = page.cookies.get('csrftoken') ?? ''
  const change = (headers: Record<string, string>) =>
    page.json('POST', '/users/me/status', { status_text: 'x' }, headers)
  const refusals: Record<string, Record<string, string>> = {
    'a foreign origin': { Origin: 'https://evil.example' },
    'a foreign origin with a token': { Origin: 'https://evil.example', 'X-CSRFToken': token },
    'a foreign site': { 'Sec-Fetch-Site': 'cross-site' },
    'another host of the site': { Origin: '', 'Sec-Fetch-Site': 'same-site' },
    'no origin': { Origin: '' },
    'a hidden origin': { Origin: 'null' },
    'no origin and a wrong token': { Origin: '', 'X-CSRFToken': `${token.slice(1)}x` },
  }
  for (const [name, headers] of Object.entries(refusals)) {
    t.match(await change(headers), { status: 403, body: { result: 'error', code: 'CSRF_FAILED' } }, name)
  }
  for (const method of ['PATCH', 'PUT', 'DELETE']) {
    t.match(await page.json(method, '/settings', {}, { Origin: '' }), { status: /403|405/ }, method)
  }
  t.match(await page.json('POST', '/settings', { method: 'PATCH' }, { Origin: '' }), { status: 403 })
  t.match(await change({}), { status: 200 })
  t.match(await change({ Origin: '', 'X-CSRFToken': token }), { status: 200 }, 'a program with the token')
  t.match(await change({ Origin: '', 'Sec-Fetch-Site': 'same-origin' }), { status: 200 })
  t.match(await page.json('GET', '/users/me', {}, { Origin: '' }), { status: 200, body: { user_id: ann.id } })
})

t.test('only the cookie of a session counts', async t => {
  const page = await signedIn()
  const value = page.cookies.get(session) as string
  const asked = async (cookie: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${server.url}/json/users/me`, { headers: { Cookie: cookie, ...headers } })
    return { status: answer.status, body: await answer.json() }
  }
  t.match(await asked(`${session}=${value}`), { status: 200 })
  for (const cookie of [
    '',
    `${session}=`,
    `${session}=${'A'.repeat(43)}`,
    `${session}=${value.slice(0, -1)}`,
    `${session}=${value}A`,
    `${session}=${value.toLowerCase()}`,
    `${session}=${'A'.repeat(4000)}`,
    `__Host-${session}=${value}`,
    // Another host of the domain planted one beside it.
    `${session}=${'A'.repeat(43)}; ${session}=${value}`,
    `${session}=${value}; ${session}=${'A'.repeat(43)}`,
    `csrftoken=${value}`,
  ]) {
    t.match(await asked(cookie), { status: 401, body: { code: 'UNAUTHORIZED' } }, cookie.slice(0, 80))
  }
  const { Authorization } = { Authorization: `Basic ${Buffer.from(`${ann.email}:${ann.api_key}`).toString('base64')}` }
  const refused = await fetch(`${server.url}/json/users/me`)
  t.match(refused.headers.get('www-authenticate'), /^Session /, 'for Basic a browser would ask for a password itself')
  t.match(await asked('', { Authorization }), { status: 401 }, 'a key does not open it')
  const answer = await fetch(`${server.url}/api/v1/users/me`, { headers: { Cookie: `${session}=${value}` } })
  t.equal(answer.status, 401, '/api/v1 looks at no cookie')
})

t.test('a sign-in makes a new session, whatever the browser brought along', async t => {
  const page = browser()
  page.cookies.set(session, 'A'.repeat(43))
  await page.signIn(ann)
  t.not(page.cookies.get(session), 'A'.repeat(43))
  const first = page.cookies.get(session) as string
  await page.signIn(bob)
  t.not(page.cookies.get(session), first)
  t.match(await page.json('GET', '/users/me'), { body: { user_id: bob.id } })
  page.cookies.set(session, first)
  t.match(await page.json('GET', '/users/me'), { status: 401 }, 'the former one has ended')
})

t.test('the cookie is kept from scripts and from other sites, and the table from its readers', async t => {
  const page = browser()
  const answer = await page.page('POST', '/login/', { form: { username: ann.email, password, next: '/status' } })
  t.equal(answer.headers.get('location'), '/status')
  const [cookie = ''] = answer.headers.getSetCookie()
  t.match(cookie, /^sessionid=[\w-]{43}; Path=\/; Max-Age=1209600; SameSite=Lax; HttpOnly$/)
  const rows = await server.sql`select * from sessions where user_id = ${ann.id}`
  t.notMatch(JSON.stringify(rows), page.cookies.get(session) as string)
  t.match(rows.at(-1), { method: 'password', device: 'Firefox, Linux', address: '127.0.0.1' })
})

t.test('behind TLS the cookie belongs to this host alone', async t => {
  const secure = await startServer(t, { ...settings, PUBLIC_URL: 'https://chat.example' }, server.organization)
  const form = new URLSearchParams({ username: ann.email, password })
  const headers = { Origin: `https://${new URL(secure.url).host}`, Accept: 'text/html' }
  const answer = await fetch(`${secure.url}/login/`, { method: 'POST', headers, body: form, redirect: 'manual' })
  t.match(answer.headers.getSetCookie(), [
    /^__Host-sessionid=[\w-]{43}; Path=\/; Max-Age=1209600; SameSite=Lax; Secure; HttpOnly$/,
    /^__Host-csrftoken=[\w-]{43}; Path=\/; Max-Age=1209600; SameSite=Lax; Secure$/,
  ])
  const plain = { ...headers, Origin: secure.url }
  t.equal((await fetch(`${secure.url}/login/`, { method: 'POST', headers: plain, body: form })).status, 403)
})

t.test('what a sign-in tells about an account', async t => {
  const gone = await server.person({ is_active: false })
  await givePassword(server.sql, gone)
  const enter = (form: Record<string, string>) => browser().page('POST', '/login/', { form })
  const unknown = await (await enter({ username: 'x@test.example', password })).text()
  const wrong = await (await enter({ username: ann.email, password: 'wrong' })).text()
  t.equal(unknown.replaceAll('x@test.example', ''), wrong.replaceAll(ann.email, ''), 'known and unknown alike')
  t.match(wrong, 'The address or the password is wrong.')
  t.match(await (await enter({ username: gone.email, password: 'wrong' })).text(), 'is wrong.')
  const told = await enter({ username: gone.email, password })
  t.equal(told.headers.get('location'), `/login/?is_deactivated=${encodeURIComponent(gone.email)}`)
  t.strictSame(told.headers.getSetCookie(), [])
  t.match(await enter({}), { status: 200 })
})

t.test('five wrong passwords for a name, by page and program together, and then it waits', async t => {
  const carl = await server.person()
  await givePassword(server.sql, carl)
  const wrong = { username: carl.email, password: 'wrong' }
  for (let i = 0; i < 3; i++) await browser().page('POST', '/login/', { form: wrong })
  for (let i = 0; i < 2; i++) await server.api(null).post('/fetch_api_key', wrong)
  const answer = await browser().page('POST', '/login/', { form: { ...wrong, password } })
  t.equal(answer.status, 429)
  t.match(await answer.text(), /Too many attempts\. Try again in \d+ minutes/)
})

t.test('a form of a foreign page signs no account in or out', async t => {
  const page = browser()
  const form = { username: ann.email, password }
  const foreign: Record<string, string>[] = [
    { Origin: 'https://evil.example' },
    { Origin: '' },
    { 'Sec-Fetch-Site': 'cross-site' },
  ]
  for (const headers of foreign) {
    t.match(await page.page('POST', '/login/', { form, headers }), { status: 403 })
  }
  await page.signIn(ann)
  t.match(await page.page('POST', '/accounts/logout/', { headers: { Origin: 'https://evil.example' } }), {
    status: 403,
  })
  t.match(await page.page('GET', '/accounts/logout/'), { status: 405 })
  t.match(await page.json('GET', '/users/me'), { status: 200 })
  const large = await page.page('POST', '/login/', { form: { ...form, next: 'x'.repeat(70_000) } })
  t.equal(large.status, 413)
  const json = { 'Content-Type': 'application/json', Accept: 'application/json' }
  t.match(await page.page('POST', '/login/', { form, headers: json }), { status: 415 })
})

t.test('a sign-out ends the session at every worker', async t => {
  const page = await signedIn()
  const there = atOther(page)
  t.match(await there.json('GET', '/users/me'), { status: 200 })
  const answer = await page.page('POST', '/accounts/logout/')
  t.match(answer, { status: 302 })
  t.equal(answer.headers.get('location'), '/login/')
  t.notOk(page.cookies.has(session))
  await until(async () => (await there.json('GET', '/users/me')).status === 401)
  t.match(await page.page('POST', '/accounts/logout/'), { status: 302 }, 'a second time there is none')
})

t.test('a signed-in browser is led on by the sign-in page', async t => {
  const page = await signedIn()
  const answer = await page.page('GET', '/login/?next=/status')
  t.equal(answer.status, 302)
  t.equal(answer.headers.get('location'), '/status')
  t.equal((await page.page('GET', '/accounts/login/')).headers.get('location'), '/')
})

t.test('a new password ends all other sessions, and leaves the key', async t => {
  const dora = await server.person()
  await givePassword(server.sql, dora)
  const [page, away] = [await signedIn(dora), atOther(await signedIn(dora))]
  t.match(await away.json('GET', '/users/me'), { status: 200 })
  const change = { old_password: password, new_password: 'another long sentence 42' }
  t.match(await page.json('PATCH', '/settings', change), { status: 200 })
  await until(async () => (await away.json('GET', '/users/me')).status === 401)
  t.match(await page.json('GET', '/users/me'), { status: 200 })
  t.match(await dora.get('/users/me'), { status: 200 })
  // By key, no session is the caller's own.
  await dora.ok('PATCH', '/settings', { old_password: change.new_password, new_password: password })
  t.match(await page.json('GET', '/users/me'), { status: 401 })
})

t.test('a deactivated account has no session, and gets none back', async t => {
  const owner = await server.person({ role: 100 })
  const emil = await server.person()
  await givePassword(server.sql, emil)
  const page = await signedIn(emil)
  await owner.ok('DELETE', `/users/${emil.id}`)
  t.match(await page.json('GET', '/users/me'), { status: 401 })
  await owner.ok('POST', `/users/${emil.id}/reactivate`)
  t.match(await page.json('GET', '/users/me'), { status: 401 })
})

t.test('two weeks after its last use a session has expired', async t => {
  const page = await signedIn()
  const { clock } = server.ctx
  const now = clock.now
  t.teardown(() => {
    clock.now = now
  })
  const day = 86_400_000
  clock.now = () => now() + 13 * day
  const answer = await page.json('GET', '/users/me')
  t.match(answer.headers.getSetCookie(), [/^sessionid=[\w-]{43}; Path=\/; Max-Age=1209600/], 'a use renews the cookie')
  t.strictSame((await page.json('GET', '/users/me')).headers.getSetCookie(), [], 'not with each use')
  clock.now = () => now() + 26 * day
  t.match(await page.json('GET', '/users/me'), { status: 200 })
  clock.now = () => now() + 41 * day
  t.match(await page.json('GET', '/users/me'), { status: 401 })
})

t.test('a key is shown again for the password, and replaced by a key alone', async t => {
  const page = await signedIn()
  t.match(await page.json('POST', '/fetch_api_key', { password: 'wrong' }), { status: 400 })
  t.match(await page.json('POST', '/fetch_api_key'), { status: 400 })
  t.match(await page.json('POST', '/fetch_api_key', { password }), { body: { api_key: ann.api_key, email: ann.email } })
  t.match(await page.json('POST', '/users/me/api_key/regenerate'), { status: 404 })
  t.match(await browser().json('POST', '/fetch_api_key', { password }), { status: 401 })
})

t.test('the socket of a page opens by its cookie, for its own origin only', async t => {
  const page = await signedIn()
  t.equal(await refusedSocket({ ...page.ofOwnPage, Origin: 'https://evil.example' }), 403)
  t.equal(await refusedSocket({ Cookie: page.cookie }), 403, 'no origin')
  t.equal(await refusedSocket({ ...page.ofOwnPage, Cookie: `${session}=${'A'.repeat(43)}` }), 4001)
  const at = { url: `${server.url}/json` }
  const socket = await openSocket(at, { headers: page.ofOwnPage })
  t.match(await socket.send({ op: 'request', id: 1, method: 'GET', path: '/users/me' }).reply(1), {
    body: { user_id: ann.id },
  })
  const regenerate = { op: 'request', id: 2, method: 'POST', path: '/users/me/api_key/regenerate' }
  t.match(await socket.send(regenerate).reply(2), { status: 404 }, 'a session replaces no key')
  await page.page('POST', '/accounts/logout/')
  t.match(await socket.closed(), { code: 4001 })
})

t.test('the socket of a page opens before its session is found, and the cookie of an old use is renewed', async t => {
  const page = await signedIn()
  await server.sql`update sessions set last_used = last_used - interval '1 day' where user_id = ${ann.id}`
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/json/socket`, [], { headers: page.ofOwnPage })
  const cookies = new Promise(resolve => {
    socket.on('upgrade', response => resolve(response.headers['set-cookie']))
  })
  const client = new SocketClient(socket)
  socket.on('open', () => client.send({ op: 'request', id: 1, method: 'GET', path: '/users/me' }))
  t.match(await client.reply(1), { status: 200, body: { user_id: ann.id } }, 'its first frame waits')
  t.match(await cookies, [`${session}=${page.cookies.get(session)}; Path=/; Max-Age=1209600`, /^csrftoken=/])
  socket.close()
})

t.test('a session that ends while it is looked up is not remembered', async t => {
  const page = await signedIn()
  const away = atOther(page)
  const { directory } = other.ctx
  const fresh = directory.fresh
  t.teardown(() => {
    directory.fresh = fresh
  })
  directory.fresh = async () => {
    directory.fresh = fresh
    await page.page('POST', '/accounts/logout/')
    return fresh.call(directory)
  }
  t.match(await away.json('GET', '/users/me'), { status: 401 })
})

t.test('the end of a session closes its sockets at another worker, and those of no other session', async t => {
  const [page, stays] = [await signedIn(), await signedIn()]
  const at = { url: `${other.url}/json` }
  const open = (from: Browser) => openSocket(at, { headers: { Origin: other.url, Cookie: from.cookie } })
  const [socket, staying] = [await open(page), await open(stays)]
  await page.page('POST', '/accounts/logout/')
  t.match(await socket.closed(), { code: 4001 })
  t.match(await staying.send({ op: 'request', id: 1, method: 'GET', path: '/users/me' }).reply(1), { status: 200 })
  staying.socket.close()
})

t.test('a poll that waits ends with its session', async t => {
  const page = await signedIn()
  const { queue_id } = (await page.json('POST', '/register', { event_types: ['message'] })).body
  const poll = page.json('GET', '/events', { queue_id, last_event_id: -1 })
  await setTimeout(200)
  await page.page('POST', '/accounts/logout/')
  t.match(await poll, { status: 200, body: { events: [] } })
  t.match(await page.json('GET', '/events', { queue_id, last_event_id: -1 }), { status: 401 })
})

t.test('a usual request of a session costs no statement of its own', async t => {
  const fritz = await server.person()
  await givePassword(server.sql, fritz)
  const page = await signedIn(fritz)
  await page.json('GET', '/users/me')
  await server.sql`update sessions set last_used = last_used - interval '1 day' where user_id = ${fritz.id}`
  await page.json('GET', '/users/me')
  const [row] =
    await server.sql`select age(now(), last_used) > '1 hour' as is_old from sessions where user_id = ${fritz.id}`
  t.match(row, { is_old: true }, 'a look into the table would have noted the use')
})

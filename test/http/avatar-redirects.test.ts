import t from 'tap'
import { notificationBot } from '../../server/actions/messages/system-bots.js'
import { networkOf } from '../../server/config/addresses.js'
import { endOfWindow } from '../../server/limits/request-limit.js'
import { basic, type Credentials } from '../support/http.js'
import { limitGuests, setOrganization } from '../support/organization.js'
import { startServer } from '../support/server.js'

const server = await startServer(t, { PUBLIC_URL: 'https://chat.example' })
const ann = await server.person({ email: 'Ann@Test.example' })
const unknown = 'https://chat.example/static/images/unknown-user-avatar'

async function follow(path: string, who: Credentials | null = ann.who, method = 'GET') {
  const headers: Record<string, string> = who ? { Authorization: basic(who) } : {}
  const response = await fetch(server.url + path, { method, headers, redirect: 'manual' })
  const text = await response.text()
  return { status: response.status, location: response.headers.get('location'), headers: response.headers, text }
}

t.test('an account is led to the address that the API gives as avatar_url, and to the larger picture', async t => {
  const { user } = await ann.ok('GET', `/users/${ann.id}`, { client_gravatar: false })
  const small = await follow(`/avatar/${ann.id}`)
  t.match(small, { status: 302, location: user.avatar_url, text: '' })
  t.match(small.headers.get('cache-control'), 'private')
  const own = await ann.ok('POST', '/register', { event_types: [], fetch_event_types: ['realm_user'] })
  t.equal((await follow(`/avatar/${ann.id}/medium`)).location, own.avatar_url_medium)
  t.match(await follow(`/avatar/${ann.id}`, ann.who, 'HEAD'), { status: 302, location: user.avatar_url })
})

t.test('the query is passed on, but never a key', async t => {
  const { location } = await follow(`/avatar/${ann.id}?s=80&api_key=${ann.api_key}&version=3`)
  t.match(location, /&s=80&version=3$/)
  t.notMatch(location, ann.api_key)
})

t.test('a query that makes a header too long for clients is not passed on', async t => {
  const bare = await follow(`/avatar/${ann.id}`)
  const { location } = await follow(`/avatar/${ann.id}?s=${'8'.repeat(30_000)}`)
  t.equal(location, bare.location)
})

t.test('the address of a hidden email is not in the picture that others get', async t => {
  const hidden = await server.person({ email_address_visibility: 4 })
  const own = await follow(`/avatar/${hidden.id}`, hidden.who)
  const seen = await follow(`/avatar/${hidden.id}`)
  t.match(seen.location, /^https:\/\/secure\.gravatar\.com\/avatar\/[0-9a-f]{32}\?d=identicon&v=1$/)
  t.not(seen.location, own.location)
})

t.test('pictures of this server are served, each with the larger form', async t => {
  const bot = await notificationBot(server.ctx)
  for (const id of [bot.id, 999_999]) {
    for (const form of ['', '/medium']) {
      const { location } = await follow(`/avatar/${id}${form}`)
      t.match(location, /^https:\/\/chat\.example\/static\/images\//)
      const { pathname } = new URL(location ?? '')
      t.equal(pathname.endsWith('-medium.png'), form === '/medium')
      t.equal((await fetch(server.url + pathname)).headers.get('content-type'), 'image/png', pathname)
    }
  }
})

t.test('an unknown user has the placeholder', async t => {
  for (const id of ['0', '4294967296', '99999999999', '1e3', '-1', 'ann@test.example', '%00', '..%2f1']) {
    t.match(await follow(`/avatar/${id}`), { status: 302, location: `${unknown}.png?v=1` }, id)
  }
})

t.test('a guest is led to the placeholder for users that it may not know', async t => {
  await limitGuests(server.sql)
  await server.ctx.directory.fresh()
  const guest = await server.person({ role: 600 })
  t.match(await follow(`/avatar/${ann.id}`, guest.who), { status: 302, location: `${unknown}.png?v=1` })
  t.match(await follow(`/avatar/${ann.id}/medium`, guest.who), { status: 302, location: `${unknown}-medium.png?v=1` })
  t.match(await follow(`/avatar/${guest.id}`, guest.who), { status: 302, location: /gravatar/ })
})

t.test('callers without an account are refused unless spectators are admitted', async t => {
  t.match(await follow(`/avatar/${ann.id}`, null), { status: 401, location: null, text: /UNAUTHORIZED/ })
  t.match(await follow('/avatar/999999', null), { status: 401 })
  await setOrganization(server.sql, { enable_spectator_access: true })
  t.match(await follow(`/avatar/${ann.id}`, null), { status: 302, location: /gravatar/ })
  await setOrganization(server.sql, { enable_spectator_access: false })
})

t.test('wrong credentials and other methods are refused', async t => {
  const wrong = { email: ann.email, api_key: 'x'.repeat(32) }
  t.match(await follow(`/avatar/${ann.id}`, wrong), { status: 401, text: /Invalid API key/ })
  for (const method of ['POST', 'DELETE', 'PUT']) {
    t.match(await follow(`/avatar/${ann.id}`, ann.who, method), { status: 405, text: /METHOD_NOT_ALLOWED/ })
  }
  for (const path of ['/avatar', '/avatar/', `/avatar/${ann.id}/large`, `/avatar/${ann.id}/medium/x`]) {
    t.match(await follow(path), { status: 404, location: null }, path)
  }
})

t.test('many wrong keys from one network are refused', async t => {
  const limited = await startServer(t, { RATE_LIMIT_ADDRESS: '3', TRUSTED_PROXIES: '127.0.0.1' })
  const who = { email: 'x@test.example', api_key: 'x'.repeat(32) }
  // The rate-limit window of this address does not end during the test.
  const now = Date.now()
  const addresses = Array.from({ length: 100 }, (_, i) => `203.0.113.${i + 1}`)
  const address = addresses.find(one => endOfWindow(networkOf(one), now) - now > 45_000) as string
  const statuses: number[] = []
  for (let i = 0; i < 5; i++) {
    const response = await fetch(`${limited.url}/avatar/1`, {
      headers: { Authorization: basic(who), 'X-Forwarded-For': address },
      redirect: 'manual',
    })
    statuses.push(response.status)
  }
  // On a busy machine a request may take long enough to count for several, so fewer may be let through.
  t.match(statuses.join(' '), /^401 (?:401 ){0,2}(?:429 ?)+$/)
  t.equal(statuses.length, 5)
})

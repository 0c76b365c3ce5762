import t from 'tap'
import { ApiKeys } from '../../server/auth/api-key.js'
import type { WorkerCtx } from '../../server/ctx.js'
import { AcceptedHeaders } from '../../server/memory/accepted-headers.js'
import { ann, basic, FakeDirectory, fakeServer, keys } from './fake-server.js'

const fake = await fakeServer(t, { WIRE_BRAND: 'zulip' })
const get = async (authorization: string, path = '/users/me', method = 'GET') => {
  const response = await fetch(fake.url + path, { method, headers: { Authorization: authorization } })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

t.test('email and key are let in; the email in any case, and the address that others see', async t => {
  for (const email of ['ann@example.org', 'ANN@example.ORG', 'user1@chat.example', 'User1@Chat.Example']) {
    t.equal((await get(basic(email, keys.ann))).status, 200, email)
  }
  t.equal((await get(ann.replace('Basic', 'bAsIc'))).status, 200)
})

t.test('all else is refused alike', async t => {
  const wrong = {
    nothing: '',
    'another scheme': `Bearer ${keys.ann}`,
    'no credentials': 'Basic',
    'no base64': 'Basic !!!!',
    'no colon': `Basic ${Buffer.from('ann@example.org').toString('base64')}`,
    'no key': basic('ann@example.org', ''),
    'a malformed key': basic('ann@example.org', 'short'),
    'an unknown key': basic('ann@example.org', 'z'.repeat(32)),
    'the key of another': basic('ann@example.org', keys.admin),
    'the address of another': basic('user2@chat.example', keys.ann),
    'no email': basic('', keys.ann),
    'a deactivated account': basic('gone@example.org', keys.gone),
    'a key in another case': basic('ann@example.org', keys.ann.toUpperCase()),
    'bytes that are no text': `Basic ${Buffer.from([0xff, 0x3a, 0xfe]).toString('base64')}`,
  }
  for (const [what, header] of Object.entries(wrong)) {
    const { status, headers, body } = await get(header)
    t.equal(status, 401, what)
    t.match(body, { result: 'error', code: 'UNAUTHORIZED', msg: String })
    t.equal(headers.get('www-authenticate'), 'Basic realm="zulip"')
  }
})

t.test('where credentials are not looked at, wrong ones do no harm', async t => {
  t.equal((await get(basic('ann@example.org', 'z'.repeat(32)), '/open')).status, 200)
})

t.test('where they are optional, wrong ones are refused', async t => {
  t.equal((await get('', '/register', 'POST')).status, 200)
  t.equal((await get(basic('ann@example.org', 'z'.repeat(32)), '/register', 'POST')).status, 401)
})

t.test('an incoming webhook may send messages and nothing else', async t => {
  const hook = basic('hook@example.org', keys.hook)
  t.equal((await get(hook, '/messages', 'POST')).status, 200)
  for (const [path, method] of [
    ['/users/me', 'GET'],
    ['/register', 'POST'],
    ['/admin', 'POST'],
  ] as const) {
    t.match(await get(hook, path, method), { status: 401, body: { code: 'UNAUTHORIZED' } })
  }
})

t.test('a deactivated organization refuses every caller', async t => {
  fake.directory.organization.is_active = false
  t.equal((await get(ann)).status, 401)
  fake.directory.organization.is_active = true
  t.equal((await get(ann)).status, 200)
})

/** Admits wrong keys without a limit. */
const anywhere = { admit() {}, succeeded() {} }

const alone = () => {
  const directory = new FakeDirectory()
  const acceptedHeaders = new AcceptedHeaders(directory as never)
  const api = new ApiKeys({ directory, memory: { acceptedHeaders }, realmHost: 'chat.example' } as unknown as WorkerCtx)
  return {
    directory,
    acceptedHeaders,
    api,
    find: async (email: string, key: string) => api.find(email, key, anywhere),
    enter: async (header: string) => api.fromHeader(header, anywhere),
  }
}
const newcomer = { id: 9, api_key: 'n'.repeat(32), delivery_email: 'new@example.org' }

t.test('a key made a moment ago elsewhere is found', async t => {
  const { directory, find } = alone()
  directory.pending.push(newcomer as never)
  t.match(await find('new@example.org', newcomer.api_key), { id: 9 })
  t.equal(directory.refreshes, 1)
  await find('new@example.org', newcomer.api_key)
  t.equal(directory.refreshes, 1, 'and from then on without asking')
})

t.test('a flood of wrong keys is not a flood of questions', async t => {
  const { directory, find } = alone()
  const guesses = Array.from({ length: 1000 }, (_, i) => find('a@example.org', String(i).padStart(32, '0')))
  t.ok((await Promise.allSettled(guesses)).every(({ status }) => status === 'rejected'))
  t.equal(directory.refreshes, 1)
  directory.pending.push(newcomer as never)
  const [found] = await Promise.all([find('new@example.org', newcomer.api_key), t.rejects(find('x', 'y'.repeat(32)))])
  t.match(found, { id: 9 }, 'who is right among them is let in')
  t.equal(directory.refreshes, 2)
})

t.test('what cannot be a key is refused without asking', async t => {
  const { directory, find } = alone()
  await t.rejects(find('a@example.org', 'short'), { code: 'UNAUTHORIZED' })
  t.equal(directory.refreshes, 0)
})

t.test('a header that was let in before is let in as the account is now', async t => {
  const { directory, enter } = alone()
  const header = basic('new@example.org', newcomer.api_key)
  const before = directory.put(newcomer)
  t.equal(await enter(header), before)
  t.equal(await enter(header), before)

  const promoted = directory.put({ ...newcomer, role: 200 })
  t.equal(await enter(header), promoted, 'with its new role')

  directory.put({ ...newcomer, is_active: false })
  await t.rejects(enter(header), { code: 'UNAUTHORIZED' }, 'not once it is deactivated')
  directory.put({ ...newcomer, is_active: true })
  t.ok(await enter(header))

  directory.organization.is_active = false
  await t.rejects(enter(header), { code: 'UNAUTHORIZED' }, 'not while the organization is deactivated')
  directory.organization.is_active = true
  t.ok(await enter(header))

  const { api_key } = directory.put({ ...newcomer, api_key: 'm'.repeat(32) })
  await t.rejects(enter(header), { code: 'UNAUTHORIZED' }, 'not with a key that was exchanged')
  t.match(await enter(basic('new@example.org', api_key)), { api_key })

  directory.put({ id: 9, api_key, delivery_email: 'newer@example.org' })
  await t.rejects(enter(basic('new@example.org', api_key)), { code: 'UNAUTHORIZED' }, 'nor with a former address')
})

t.test('what is remembered of headers is bounded', t => {
  const { directory, acceptedHeaders, api } = alone()
  directory.put(newcomer)
  const right = basic('new@example.org', newcomer.api_key)
  // The text after the padding is ignored, so an account has arbitrarily many valid headers.
  for (let i = 1; i <= 40_000; i++) api.fromHeader(right + ' '.repeat(i % 200) + '='.repeat(i / 200), anywhere)
  t.ok(acceptedHeaders.size > 0)
  t.ok(acceptedHeaders.size <= 16_384)
  t.end()
})

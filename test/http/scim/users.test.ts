import t from 'tap'
import WebSocket from 'ws'
import { SocketClient } from '../../socket/socket-client.js'
import { ScimDirectory } from '../../support/directory.js'
import { basic } from '../../support/http.js'
import { Listener } from '../../support/in-step.js'
import type { Person } from '../../support/people.js'
import { statementsOf } from '../../support/queries.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const owner = await server.person({ role: 100, full_name: 'Olga Owner' })
const bot = await server.person({ bot_type: 1, bot_owner_id: owner.id })
const administrator = await server.person({ role: 200 })
const others = [await server.person({ role: 300 }), await server.person(), await server.person({ role: 600 })]
const gone = await server.person({ is_active: false })
const directory = await ScimDirectory.start(server)
const ear = await Listener.start(server.ctx, owner)

let made = 0
const core = 'urn:ietf:params:scim:schemas:core:2.0:User'

/** A person as Entra ID adds one. */
function draft(more: Record<string, unknown> = {}) {
  const name = `person${++made}`
  return {
    schemas: [core, 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'],
    externalId: `${name}-external`,
    userName: `${name}@corp.example`,
    active: true,
    displayName: `Given${made} Family${made}`,
    emails: [{ primary: true, type: 'work', value: `${name}@corp.example` }],
    meta: { resourceType: 'User' },
    name: { formatted: `Given${made} Family${made}`, givenName: `Given${made}`, familyName: `Family${made}` },
    ...more,
  }
}

const userOf = async (id: string) => (await owner.ok('GET', `/users/${id}`)).user

async function add(more: Record<string, unknown> = {}) {
  const sent = draft(more)
  const { status, body } = await directory.call('POST', '/Users', sent)
  t.equal(status, 201, JSON.stringify(body))
  return { sent, body, id: body.id as string }
}

t.test('a directory adds a person, finds it, and reads it', async t => {
  await owner.ok('PATCH', '/settings', { email_address_visibility: 1 })
  const sent = draft()
  const none = await directory.find('Users', `userName eq "${sent.userName}"`)
  t.match(none, { status: 200, body: { totalResults: 0, itemsPerPage: 0, Resources: [] } })
  const { status, headers, body } = await directory.call('POST', '/Users', sent)
  t.equal(status, 201)
  t.equal(headers.get('content-type'), 'application/scim+json')
  t.equal(headers.get('location'), body.meta.location)
  t.match(body, {
    externalId: sent.externalId,
    userName: sent.userName,
    displayName: sent.displayName,
    active: true,
    roles: [{ value: 'member' }],
    name: { formatted: sent.displayName, givenName: sent.name.givenName, familyName: sent.name.familyName },
  })
  t.match(await ear.inStep(t), [{ type: 'realm_user', op: 'add', person: { full_name: sent.displayName, role: 400 } }])
  t.match(await userOf(body.id), { delivery_email: sent.userName, is_active: true })
  t.same((await directory.call('GET', `/Users/${body.id}`)).body, body)
  for (const filter of [
    `userName eq "${sent.userName.toUpperCase()}"`,
    `externalId eq "${sent.externalId}"`,
    `emails eq "${sent.userName}"`,
    `emails.value eq "${sent.userName}"`,
    `emails[type eq "work"].value eq "${sent.userName}"`,
    `${core}:displayName eq "${sent.displayName}"`,
    `id eq "${body.id}"`,
    `USERNAME EQ "${sent.userName}" AND active eq true and externalId eq "${sent.externalId}"`,
  ]) {
    t.match(await directory.find('Users', filter), { body: { totalResults: 1, Resources: [{ id: body.id }] } }, filter)
  }
  for (const filter of [
    `externalId eq "${sent.externalId.toUpperCase()}"`,
    `id eq "${body.id}" and active eq false`,
    `userName eq "' or true --"`,
  ]) {
    t.match(await directory.find('Users', filter), { body: { totalResults: 0 } }, filter)
  }
  const again = await directory.call('POST', '/Users', sent)
  t.match(again, { status: 409, body: { scimType: 'uniqueness', status: '409' } })
})

t.test(
  'a person who is added as inactive was never active: one transaction subscribes and deactivates the account',
  async t => {
    await owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'arrivals' }] })
    const { stream_id } = await owner.ok('GET', '/get_stream_id', { stream: 'arrivals' })
    await owner.ok('POST', '/default_streams', { stream_id })
    const { id } = await add({ active: false })
    await ear.inStep(t)
    t.match(await userOf(id), { is_active: false })
    const [row] = await server.sql`
    select u.xmin::text as account, s.xmin::text as subscription
    from users u join subscriptions s on s.user_id = u.id where u.id = ${id}`
    t.ok(row)
    t.equal(row?.subscription, row?.account)
    const { body } = await directory.patch(`/Users/${id}`, { op: 'replace', value: { active: true } })
    t.match(body, { active: true })
    t.match(await userOf(id), { is_active: true })
    await owner.ok('DELETE', '/default_streams', { stream_id })
    await ear.inStep(t)
  },
)

t.test('pages and attributes', async t => {
  await add()
  const { body: all } = await directory.call('GET', '/Users')
  const page = async (query: string) => (await directory.call('GET', `/Users?${query}`)).body
  t.match(await page('startIndex=2&count=1'), {
    totalResults: all.totalResults,
    startIndex: 2,
    itemsPerPage: 1,
    Resources: [{ id: all.Resources[1].id }],
  })
  t.match(await page('count=0'), { totalResults: all.totalResults, itemsPerPage: 0, Resources: [] })
  t.match(await page('startIndex=-5&count=1'), { startIndex: 1 })
  t.match(await page('startIndex=10000'), { totalResults: all.totalResults, Resources: [] })
  t.same(Object.keys((await page('attributes=userName,name.givenName')).Resources[0]), [
    'schemas',
    'id',
    'userName',
    'name',
  ])
  t.notOk('emails' in (await page('excludedAttributes=emails')).Resources[0])
  const count = async (query: string) => (await statementsOf(server, () => page(query))).length
  // A request whose lease has ended makes one statement more.
  const least = async (query: string) => Math.min(await count(query), await count(query), await count(query))
  const few = await least('count=1')
  for (let i = 0; i < 5; i++) await add()
  t.equal(await least('count=100'), few, 'no statement for each person')
  t.equal((await directory.call('GET', `/Users/${bot.id}`)).status, 404, 'bots are no people')
  t.match(await directory.find('Users', `userName eq "${bot.email}"`), { body: { totalResults: 0 } })
  t.equal((await directory.call('DELETE', `/Users/${bot.id}`)).status, 404)
  t.match(await directory.call('POST', '/Users', draft({ userName: bot.email, emails: [] })), { status: 409 })
})

t.test('the changes that Entra ID sends', async t => {
  const { id } = await add()
  await ear.inStep(t)
  const patched = await directory.patch(
    `/Users/${id}`,
    { op: 'Replace', path: 'displayName', value: 'New Name' },
    { op: 'Replace', path: 'name.familyName', value: 'Name' },
    { op: 'Add', path: 'emails[type eq "work"].value', value: 'new.name@corp.example' },
    { op: 'Replace', path: 'externalId', value: 'another' },
    { op: 'Add', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', value: 'Sales' },
    { op: 'Add', path: 'roles[primary eq "True"].value', value: 'moderator' },
  )
  t.match(patched, {
    status: 200,
    body: {
      displayName: 'New Name',
      externalId: 'another',
      emails: [{ value: 'new.name@corp.example' }],
      roles: [{ value: 'moderator' }],
    },
  })
  await ear.inStep(t)
  t.match(await userOf(id), { full_name: 'New Name', role: 300, delivery_email: 'new.name@corp.example' })
  t.match(await directory.patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' }), {
    body: { active: false },
  })
  t.match(await userOf(id), { is_active: false })
  await ear.inStep(t)
  t.match(await directory.patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'True' }), {
    body: { active: true },
  })
  t.match(await userOf(id), { is_active: true })
  await ear.inStep(t)
  const { body } = await directory.patch(`/Users/${id}`, { op: 'Replace', value: { 'name.familyName': 'Other' } })
  t.equal(body.displayName, 'New Other')
  t.match(
    await directory.patch(`/Users/${id}`, { op: 'Remove', path: 'roles' }, { op: 'Remove', path: 'externalId' }),
    {
      body: { roles: [{ value: 'member' }], externalId: undefined },
    },
  )
  await ear.inStep(t)
})

t.test('the changes that Okta sends', async t => {
  const { id, sent } = await add()
  const whole = { ...sent, displayName: 'Put Name', name: { givenName: 'Put', familyName: 'Name' }, groups: [] }
  t.match(await directory.call('PUT', `/Users/${id}`, whole, { 'Content-Type': 'application/json' }), {
    status: 200,
    body: { displayName: 'Put Name', active: true },
  })
  const { emails: _, ...renamed } = { ...whole, userName: 'renamed@corp.example' }
  t.match(
    (await directory.call('PUT', `/Users/${id}`, renamed)).body,
    {
      userName: 'renamed@corp.example',
      emails: [{ value: 'renamed@corp.example' }],
    },
    'without addresses, the address follows a name that was the same',
  )
  t.match(await directory.patch(`/Users/${id}`, { op: 'replace', value: { active: false } }), {
    body: { active: false },
  })
  t.match(await userOf(id), { is_active: false })
  t.match(await directory.patch(`/Users/${id}`, { op: 'replace', value: { active: true, displayName: 'Both' } }), {
    body: { active: true, displayName: 'Both' },
  })
  await ear.inStep(t)
})

t.test('a name and an address of different form', async t => {
  const { id } = await add({
    userName: 'jdoe',
    emails: [{ value: 'second@corp.example' }, { value: 'first@corp.example', primary: true }],
  })
  t.match(await userOf(id), { delivery_email: 'first@corp.example' })
  t.match(await directory.find('Users', 'userName eq "jdoe"'), { body: { Resources: [{ id }] } })
  t.match(await directory.call('POST', '/Users', draft({ userName: 'JDoe' })), { status: 409 })
  t.match(await directory.call('POST', '/Users', draft({ userName: 'nobody', emails: [] })), { status: 400 })
  const other = await add()
  t.match(await directory.patch(`/Users/${other.id}`, { op: 'replace', path: 'userName', value: 'jdoe' }), {
    status: 409,
  })
  t.match(
    await directory.patch(`/Users/${other.id}`, {
      op: 'replace',
      path: 'emails',
      value: [{ value: 'FIRST@corp.example' }],
    }),
    { status: 409 },
  )
  const taken = await add({ displayName: owner.full_name })
  t.match(taken.body.displayName, /^Olga Owner \(person/, 'no name looks like that of an owner')
  const put = await directory.call('PUT', `/Users/${taken.id}`, taken.sent)
  t.equal(put.body.displayName, taken.body.displayName)
})

t.test('a person that leaves loses sockets, keys and sessions before the answer', async t => {
  const { id } = await add()
  const [row] = await server.sql<
    { api_key: string; delivery_email: string }[]
  >`select api_key, delivery_email from users where id = ${id}`
  const person = { ...row, email: row?.delivery_email } as unknown as Person
  const headers = { Authorization: basic(person) }
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/api/v1/socket`, ['chat.v1.json'], { headers })
  t.teardown(() => socket.terminate())
  const client = new SocketClient(socket)
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject))
  await client.send({ op: 'register', id: 1, params: { fetch_event_types: [] } }).reply(1)
  await server.sql`insert into sessions (user_id, token_hash, method, device, address) values (${id}, 'x', 'password', '', '')`
  const since = Date.now()
  t.match(await directory.call('DELETE', `/Users/${id}`), { status: 204, body: {} })
  t.equal((await client.closed()).code, 4001)
  t.ok(Date.now() - since < 2000)
  t.equal((await fetch(`${server.url}/api/v1/users/me`, { headers })).status, 401)
  t.same(await server.sql`select from sessions where user_id = ${id}`, [])
  t.equal((await directory.call('GET', `/Users/${id}`)).status, 404)
  t.equal((await directory.call('DELETE', `/Users/${id}`)).status, 404)
  t.match(await directory.find('Users', `id eq "${id}"`), { body: { totalResults: 0 } })
  const back = await directory.call('POST', '/Users', draft({ emails: [{ value: row?.delivery_email }] }))
  t.match(back, { status: 201, body: { id, active: true } }, 'the same account')
  await ear.inStep(t)
})

t.test('owners', async t => {
  const free = await ScimDirectory.start(server, true)
  const path = `/Users/${owner.id}`
  const role = (value: string) => ({ op: 'replace', path: 'roles', value: [{ value }] })
  const leaves = { op: 'replace', path: 'active', value: false }
  for (const one of [directory, free]) {
    t.match(await one.patch(path, leaves), { status: 403 }, 'the only owner stays active')
    t.match(await one.call('DELETE', path), { status: 403 })
  }
  t.match(await free.patch(path, role('member')), { status: 403 }, 'the only owner stays an owner')
  t.match(await directory.patch(path, role('member')), { status: 200, body: { roles: [{ value: 'owner' }] } })
  t.match(await directory.patch(path, { op: 'replace', path: 'emails', value: 'mine@evil.example' }), { status: 403 })
  t.match(await directory.call('POST', '/Users', draft({ roles: ['owner'] })), { status: 403 })
  const { id } = await add({ roles: [{ value: 'Administrator' }] })
  t.match(await userOf(id), { role: 200 })
  t.match(await directory.patch(`/Users/${id}`, role('owner')), { status: 403 })
  t.match(await free.patch(`/Users/${id}`, role('owner')), { status: 200, body: { roles: [{ value: 'owner' }] } })
  t.match(
    await free.patch(`/Users/${id}`, { op: 'replace', path: 'displayName', value: 'Refused Twice' }, role('boss')),
    {
      status: 400,
      body: { scimType: 'invalidValue' },
    },
  )
  t.not((await userOf(id)).full_name, 'Refused Twice', 'all or nothing')
  t.match(await directory.patch(`/Users/${id}`, leaves), { status: 200, body: { active: false } })
  const returns = { op: 'replace', path: 'active', value: true }
  t.match(await directory.patch(`/Users/${id}`, returns), { status: 403 }, 'an owner that left stays away')
  t.match(await free.patch(`/Users/${id}`, returns), { status: 200, body: { active: true } })
  await ear.inStep(t)
})

t.test('names that each object of JavaScript has are no attributes', async t => {
  const { id } = await add(JSON.parse('{"__proto__": {"a": 1}, "constructor": "x"}'))
  t.match(await directory.patch(`/Users/${id}`, { op: 'replace', path: '__proto__', value: 'x' }), { status: 200 })
  t.match(await directory.find('Users', 'constructor eq "x"'), { status: 400, body: { scimType: 'invalidFilter' } })
})

t.test('what is refused', async t => {
  const { id } = await add()
  const long = 'x'.repeat(100_000)
  const refusedFilters = [
    `userName eq "${'x'.repeat(2000)}"`,
    'userName co "a"',
    'userName eq',
    'eq "a"',
    'password eq "a"',
    'userName eq "a" or userName eq "b"',
    'not (userName eq "a")',
    '('.repeat(900),
    'userName eq "a\\u0000"',
    'userName eq "\\x"',
    'userName eq "a" and',
    'emails[type eq "home"].value eq "a"',
    '',
  ]
  for (const filter of refusedFilters) {
    const { status, body } = await directory.find('Users', filter)
    t.same([status, body.scimType, body.status], [400, 'invalidFilter', '400'], filter.slice(0, 40))
  }
  t.equal((await fetch(`${server.url}/scim/v2/Users?filter=${long}`)).status, 431, 'longer than a head may be')
  const bodies: readonly [unknown, string][] = [
    ['{', 'invalidSyntax'],
    ['[]', 'invalidSyntax'],
    ['"x"', 'invalidSyntax'],
    [draft({ userName: undefined }), 'invalidValue'],
    [draft({ userName: 7 }), 'invalidValue'],
    [draft({ userName: '' }), 'invalidValue'],
    [draft({ userName: 'a\0@corp.example' }), 'invalidValue'],
    [draft({ userName: 'none', emails: [{ value: 'none' }] }), 'invalidValue'],
    [draft({ emails: [{ value: 'notes@System.invalid' }] }), 'invalidValue'],
    [draft({ displayName: long }), 'invalidValue'],
    [draft({ active: 'perhaps' }), 'invalidValue'],
    [draft({ roles: ['boss'] }), 'invalidValue'],
    [draft({ roles: ['constructor'] }), 'invalidValue'],
  ]
  for (const [body, scimType] of bodies) {
    t.match(
      await directory.call('POST', '/Users', body),
      { status: 400, body: { scimType } },
      JSON.stringify(body).slice(0, 80),
    )
  }
  const operations: readonly [unknown, string][] = [
    [[], 'invalidSyntax'],
    [{}, 'invalidSyntax'],
    [[7], 'invalidSyntax'],
    [[{ op: 'move', path: 'active' }], 'invalidSyntax'],
    [[{ op: 'remove' }], 'noTarget'],
    [[{ op: 'replace', path: 7, value: 1 }], 'invalidPath'],
    [[{ op: 'replace', path: long, value: 1 }], 'invalidPath'],
    [[{ op: 'replace', value: 'x' }], 'invalidValue'],
    [Array(1001).fill({ op: 'replace', path: 'displayName', value: 'Too Many' }), 'tooMany'],
  ]
  for (const [Operations, scimType] of operations) {
    t.match(
      await directory.call('PATCH', `/Users/${id}`, { Operations }),
      { status: 400, body: { scimType } },
      scimType,
    )
  }
  for (const query of ['startIndex=x', 'count=1.5', `count=${'9'.repeat(20)}`]) {
    t.equal((await directory.call('GET', `/Users?${query}`)).status, 400, query)
  }
  const notThere = ['999999999', '0', '-1', '1e3', 'x', `${id}x`, '2147483648', `${id}%20`, '..']
  for (const other of notThere) {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const { status } = await directory.call(
        method,
        `/Users/${encodeURIComponent(other)}`,
        method === 'PUT' ? draft() : undefined,
      )
      t.equal(status, 404, `${method} ${other}`)
    }
  }
  t.equal((await directory.call('POST', `/Users/${id}`, draft())).status, 405)
  t.equal((await directory.call('DELETE', '/Users')).status, 405)
  t.equal((await directory.call('POST', '/Schemas', {})).status, 405)
  t.equal((await directory.call('GET', '/Me')).status, 404)
  t.equal((await directory.call('POST', '/Users', draft(), { 'Content-Type': 'text/plain' })).status, 415)
  t.equal((await directory.call('POST', '/Users', `"${'x'.repeat(20_000_000)}"`)).status, 413)
  t.match(await directory.call('POST', '/Users', draft({ userName: gone.email, emails: [] })), { status: 409 })
})

t.test('only a token that the operator made opens the door', async t => {
  const kinds = [
    ...[owner, administrator, ...others, gone, bot].map(basic),
    `Bearer ${owner.api_key}`,
    `Bearer ${'a'.repeat(43)}`,
    'Bearer',
    `Basic ${directory.token}`,
    '',
  ]
  for (const Authorization of kinds) {
    for (const [method, path] of [
      ['GET', '/Users'],
      ['POST', '/Users'],
      ['GET', '/Schemas'],
      ['DELETE', `/Users/${administrator.id}`],
    ] as const) {
      const { status, headers, body } = await directory.call(method, path, method === 'POST' ? draft() : undefined, {
        Authorization,
      })
      t.same(
        [status, headers.get('www-authenticate')],
        [401, 'Bearer'],
        `${Authorization.slice(0, 12)} ${method} ${path}`,
      )
      t.same(body.schemas, ['urn:ietf:params:scim:api:messages:2.0:Error'])
    }
  }
  const revoked = await ScimDirectory.start(server)
  t.equal((await revoked.call('GET', '/ServiceProviderConfig')).status, 200)
  t.ok((await server.sql`select from scim_tokens where last_used > now() - interval '1 minute'`).length > 1)
  await server.sql`delete from scim_tokens where token_hash = sha256(${Buffer.from(revoked.token)})`
  t.equal((await revoked.call('GET', '/ServiceProviderConfig')).status, 401)
  const audited = await server.sql<{ operator: string; operation: string }[]>`
    select distinct operator, operation from audit_log where operation like 'scim%' order by 2`
  t.match(
    audited.map(row => row.operation),
    ['scim_create_user', 'scim_delete_user', 'scim_update_user'],
  )
  t.match(audited[0]?.operator, /^scim token /)
})

t.test('what a directory asks first', async t => {
  t.match((await directory.call('GET', '/ServiceProviderConfig')).body, {
    patch: { supported: true },
    bulk: { supported: false },
  })
  const types = (await directory.call('GET', '/ResourceTypes')).body
  t.same(
    types.Resources.map((one: { id: string }) => one.id),
    ['User', 'Group'],
  )
  t.match((await directory.call('GET', '/ResourceTypes/Group')).body, { endpoint: '/Groups' })
  t.match((await directory.call('GET', `/Schemas/${core}`)).body, { id: core })
  t.equal((await directory.call('GET', '/Schemas/x')).status, 404)
})

import { randomBytes } from 'node:crypto'
import t from 'tap'
import { Listener } from '../../support/in-step.js'
import type { Person } from '../../support/people.js'
import { Browser, publicUrl } from '../../support/providers/browser.js'
import { Company } from '../../support/providers/company.js'
import { statementsOf } from '../../support/queries.js'
import { startServer } from '../../support/server.js'

const company = await Company.start(t)
const many = Array.from({ length: 60 }, (_, i) => `many ${i}`)
const mapping = {
  groups: {
    eng: 'engineers',
    ops: 'engineers',
    sales: 'sellers',
    gone: 'no such group',
    old: 'former',
    system: 'role:owners',
    ...Object.fromEntries(many.map(name => [name, name])),
  },
  roles: { owners: 'owner', admins: 'administrator', mods: 'moderator', externals: 'guest' },
}
const server = await startServer(t, {
  OIDC_PROVIDERS: JSON.stringify([company.settings(mapping)]),
  PUBLIC_URL: publicUrl,
})
company.serverUrl = server.url
const owner = await server.person({ role: 100 })
const group = async (name: string) =>
  (await owner.ok('POST', '/user_groups/create', { name, description: '', members: [] })).group_id as number
const [engineers, sellers, former, others] = [
  await group('engineers'),
  await group('sellers'),
  await group('former'),
  await group('others'),
]
const ofMany: number[] = []
for (const name of many) ofMany.push(await group(name))

async function signIn(person: Person, groups: readonly string[] | undefined) {
  company.people.set(String(person.id), { email: person.email, email_verified: true, name: 'X', groups })
  company.present = String(person.id)
  const url = `${publicUrl}/accounts/login/social/oidc?mobile_flow_otp=${randomBytes(32).toString('hex')}`
  const isApp = (location: string) => location.startsWith('service:')
  const { url: end } = await new Browser({ [publicUrl]: server.url }).follow(url, isApp)
  t.ok(isApp(end), end)
}

async function now({ id }: Person) {
  const { user } = await owner.ok('GET', `/users/${id}`)
  const { user_groups } = await owner.ok('GET', '/user_groups')
  const mine = (user_groups as { id: number; members: number[]; is_system_group: boolean }[])
    .filter(one => !one.is_system_group && one.members.includes(id))
    .map(one => one.id)
  return { role: user.role as number, groups: mine }
}

t.test('groups follow the claims at each sign-in; what is not mapped is left alone', async t => {
  const person = await server.person()
  await owner.ok('POST', `/user_groups/${others}/members`, { add: [person.id] })
  const ear = await Listener.start(server.ctx, owner)
  await signIn(person, ['ops', 'sales', 'gone', 'old', 'system', 'unknown', 'constructor'])
  t.same(await now(person), { role: 400, groups: [engineers, sellers, former, others].sort((a, b) => a - b) })
  t.equal((await ear.inStep(t)).length, 3)
  await signIn(person, ['ops', 'sales', 'old'])
  t.same(await ear.inStep(t), [], 'nothing has changed')
  await signIn(person, ['eng'])
  t.same(
    (await now(person)).groups,
    [engineers, others].sort((a, b) => a - b),
  )
  t.equal((await ear.inStep(t)).length, 2)
  await signIn(person, undefined)
  t.same(
    (await now(person)).groups,
    [engineers, others].sort((a, b) => a - b),
    'the provider sent no list',
  )
  await signIn(person, [])
  t.same((await now(person)).groups, [others])
})

t.test('roles follow the claims; a role that is not mapped stays', async t => {
  const person = await server.person()
  const ears = [await Listener.start(server.ctx, owner), await Listener.start(server.ctx, person)]
  const after = async (groups: readonly string[] | undefined) => {
    await signIn(person, groups)
    for (const ear of ears) await ear.inStep(t)
    return (await now(person)).role
  }
  t.equal(await after(['mods', 'admins', 'externals']), 200, 'the most powerful')
  t.equal(await after(undefined), 200)
  t.equal(await after(['mods']), 300)
  t.equal(await after([]), 400, 'without a group that gives it, a mapped role ends')
  t.equal(await after(['externals', 'eng']), 600)
  t.equal(await after(['owners']), 100)
  t.equal(await after([]), 400)
})

t.test('the only owner stays an owner', async t => {
  await signIn(owner, ['externals'])
  t.equal((await now(owner)).role, 100)
  const second = await server.person({ role: 100 })
  await signIn(second, [])
  t.equal((await now(second)).role, 400, 'one of two does not')
  t.equal((await now(owner)).role, 100)
})

t.test('a private channel opens and closes with the group that may read it', async t => {
  const person = await server.person()
  const made = await owner.ok('POST', '/channels/create', {
    name: 'plans',
    subscribers: [owner.id],
    invite_only: true,
    can_add_subscribers_group: engineers,
  })
  const ear = await Listener.start(server.ctx, person)
  const knows = async () => (await person.call('GET', `/streams/${made.id}`)).status === 200
  t.notOk(await knows())
  await signIn(person, ['eng'])
  await ear.inStep(t)
  t.ok(await knows())
  await signIn(person, [])
  await ear.inStep(t)
  t.notOk(await knows())
})

t.test('the changes of a sign-in do not grow with the groups', async t => {
  const cost = async (person: Person, groups: readonly string[]) => {
    const statements = await statementsOf(server, () => signIn(person, groups))
    return statements.filter(text => /\b(?:insert into|update|delete from)\b/.test(text)).length
  }
  const [few, all] = [await server.person(), await server.person()]
  const one = await cost(few, ['many 0'])
  t.ok(one > 0)
  t.equal(await cost(all, many), one)
  t.same((await now(all)).groups, ofMany)
})

import t from 'tap'
import { budgets } from '../../../server/config/budgets.js'
import { Listener, type Loose } from '../../support/in-step.js'
import { changeDirectory, setOrganization } from '../../support/organization.js'
import { queriesOf } from '../../support/queries.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const second = await startServer(t, {}, server.organization)
const owner = await server.person({ role: 100 })
const guest = await server.person({ role: 600 })
const listed = async (who = owner): Promise<Loose[]> => (await who.ok('GET', '/realm/domains')).domains
const add = (domain: string, allow_subdomains: unknown = false) =>
  owner.post('/realm/domains', { domain, allow_subdomains })
const refused = { status: 400, body: { code: 'BAD_REQUEST' } }

t.test('domains are added, changed and removed; every active user gets the events, at both workers', async t => {
  const bot = await server.person({ bot_type: 1, bot_owner_id: owner.id })
  const ears = await Promise.all([owner, guest, bot].map(one => Listener.start(server.ctx, one)))
  const { new_domain } = await owner.ok('POST', '/realm/domains', { domain: ' One.Example ', allow_subdomains: false })
  t.match(new_domain, [/^\d+$/, 'one.example'])
  const other = second.api(owner.who)
  await other.ok('POST', '/realm/domains', { domain: 'xn--bcher-kva.example', allow_subdomains: true })
  await other.ok('PATCH', '/realm/domains/one.example', { allow_subdomains: true })
  await other.ok('PATCH', '/realm/domains/one.example', { allow_subdomains: true })
  t.same(await listed(guest), [
    { domain: 'one.example', allow_subdomains: true },
    { domain: 'xn--bcher-kva.example', allow_subdomains: true },
  ])
  await owner.ok('DELETE', '/realm/domains/one.example')
  for (const ear of ears) {
    t.match(await ear.inStep(t), [
      { op: 'add', realm_domain: { domain: 'one.example', allow_subdomains: false } },
      { op: 'add', realm_domain: { domain: 'xn--bcher-kva.example', allow_subdomains: true } },
      { op: 'change', realm_domain: { domain: 'one.example', allow_subdomains: true } },
      { op: 'remove', domain: 'one.example' },
    ])
  }
})

t.test('only addresses of the domains get accounts; without the last domain all do', async t => {
  await setOrganization(server.sql, { emails_restricted_to_domains: true })
  await owner.ok('POST', '/realm/domains', { domain: 'team.example', allow_subdomains: false })
  await server.sql`update users set can_create_users = true where id = ${owner.id}`
  let made = 0
  const create = async (domain: string, local = 'person') => {
    const { status } = await owner.post('/users', {
      email: `${local}${++made}@${domain}`,
      full_name: `Person ${made}`,
      password: 'seven tall wooden boats',
    })
    return status
  }
  await changeDirectory(server.sql, (tx, version) => tx`update users set version = ${version} where id = ${owner.id}`)
  t.equal(await create('Team.Example'), 200)
  t.equal(await create('a.xn--bcher-kva.example'), 200, 'a subdomain where these are allowed')
  for (const domain of ['a.team.example', 'notteam.example', 'team.example.org', 'axn--bcher-kva.example']) {
    t.equal(await create(domain), 400, domain)
  }
  t.equal(await create('team.example', 'a+b'), 400, 'a plus sign')
  const ear = await Listener.start(server.ctx, guest)
  await owner.ok('DELETE', '/realm/domains/team.example')
  await owner.ok('DELETE', '/realm/domains/xn--bcher-kva.example')
  t.match(await ear.inStep(t), [
    { type: 'realm_domains', op: 'remove', domain: 'team.example' },
    { type: 'realm', op: 'update', property: 'emails_restricted_to_domains', value: false },
    { type: 'realm_domains', op: 'remove', domain: 'xn--bcher-kva.example' },
  ])
  t.equal(await create('anywhere.example'), 200)
})

t.test('people and input that are refused', async t => {
  await add('kept.example')
  const bot = await server.person({ bot_type: 1, bot_owner_id: owner.id })
  const others = [await server.person({ role: 200 }), await server.person({ role: 300 }), await server.person()]
  const ear = await Listener.start(server.ctx, owner)
  for (const who of [...others, guest, bot]) {
    const unauthorized = { status: 400, body: { code: 'UNAUTHORIZED_PRINCIPAL' } }
    const sent = { domain: 'new.example', allow_subdomains: true }
    t.match(await who.post('/realm/domains', sent), unauthorized, who.full_name)
    t.match(await who.patch('/realm/domains/kept.example', sent), unauthorized, who.full_name)
    t.match(await who.delete('/realm/domains/kept.example'), unauthorized, who.full_name)
    t.same(await listed(who), [{ domain: 'kept.example', allow_subdomains: false }])
  }
  const stranger = server.api(null)
  for (const answer of [
    await stranger.get('/realm/domains'),
    await stranger.post('/realm/domains', { domain: 'new.example', allow_subdomains: true }),
    await stranger.patch('/realm/domains/kept.example', { allow_subdomains: true }),
    await stranger.delete('/realm/domains/kept.example'),
  ]) {
    t.equal(answer.status, 401)
  }
  const bad = ['', 'example', '.example', 'a..example', 'a.example.', '-a.example', 'a-.example', 'a_b.example']
  bad.push('bücher.example', 'a b.example', 'me@a.example', '*.example', `${'a.'.repeat(127)}aa`, 'a\0.example')
  for (const domain of [...bad, 'kept.example', 'KEPT.example']) t.match(await add(domain), refused, domain)
  for (const flag of ['maybe', 2, null]) t.match(await add('new.example', flag), refused, String(flag))
  for (const [sent, var_name] of [
    [{ domain: 'new.example' }, 'allow_subdomains'],
    [{ allow_subdomains: true }, 'domain'],
  ] as const) {
    const missing = { status: 400, body: { code: 'REQUEST_VARIABLE_MISSING', var_name } }
    t.match(await owner.post('/realm/domains', sent), missing)
  }
  for (const domain of ['gone.example', 'KEPT.example', '%00', 'x'.repeat(300)]) {
    t.match(await owner.patch(`/realm/domains/${domain}`, { allow_subdomains: true }), refused, domain)
    t.match(await owner.delete(`/realm/domains/${domain}`), refused, domain)
  }
  t.same(await ear.inStep(t), [])
  const answers = await Promise.all([
    add('twice.example'),
    second.api(owner.who).post('/realm/domains', { domain: 'twice.example', allow_subdomains: false }),
  ])
  t.same(answers.map(({ status }) => status).sort(), [200, 400], 'of two at once one finds it listed')
})

t.test('an organization has so many domains, and a list of many is as many statements', async t => {
  const few = await queriesOf(server, () => listed())
  const { length } = await listed()
  await server.sql`
    insert into allowed_domains (domain, allow_subdomains)
    select 'd' || n || '.example', false from generate_series(${length}::int, ${budgets.allowedDomains.most - 2}::int) as n`
  await changeDirectory(server.sql, (tx, version) => tx`update organization_lists set version = ${version}`)
  t.match((await Promise.all([add('e.example'), add('f.example')])).map(({ status }) => status).sort(), [200, 400])
  t.match(await add('g.example'), { ...refused, body: { msg: /at most 500 domains/ } })
  t.equal((await listed()).length, budgets.allowedDomains.most)
  t.equal(await queriesOf(server, () => listed()), few)
})

t.test('the changes are in the audit log', async t => {
  await owner.ok('PATCH', '/realm/domains/kept.example', { allow_subdomains: true })
  await owner.ok('DELETE', '/realm/domains/kept.example')
  const rows = await server.sql`
    select event, subject, after from audit_log where actor_id = ${owner.id} and subject->>'domain' = 'kept.example' order by id`
  t.same(
    rows.map(({ event, after }) => [event, after]),
    [
      ['realm_domains/add', { allow_subdomains: false }],
      ['realm_domains/change', { allow_subdomains: true }],
      ['realm_domains/remove', { is_allowed: false }],
    ],
  )
})

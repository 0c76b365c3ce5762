import t from 'tap'
import { budgets } from '../../../server/config/budgets.js'
import { Listener, type Loose } from '../../support/in-step.js'
import { changeDirectory, setOrganization } from '../../support/organization.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const second = await startServer(t, {}, server.organization)
const admin = await server.person({ role: 200 })
const guest = await server.person({ role: 600 })
const python = { name: 'Sandbox', pygments_language: 'Python', url_template: 'https://run.example/{?code}' }
const listed = async (api = admin): Promise<Loose[]> =>
  (await api.ok('POST', '/register', { fetch_event_types: ['realm_playgrounds'] })).realm_playgrounds
const add = (params: Loose) => admin.post('/realm/playgrounds', params)

t.test('playgrounds are added and removed; every active user gets the whole list, at both workers', async t => {
  const bot = await server.person({ bot_type: 1, bot_owner_id: admin.id })
  const ears = await Promise.all([admin, guest, bot].map(one => Listener.start(server.ctx, one)))
  const first = await admin.ok('POST', '/realm/playgrounds', python)
  const other = { name: ' Sandbox ', pygments_language: ' C++/C# ', url_template: ' http://run.example/#{code} ' }
  const { id } = await second.api(admin.who).ok('POST', '/realm/playgrounds', other)
  const stored = { id, name: 'Sandbox', pygments_language: 'C++/C#', url_template: 'http://run.example/#{code}' }
  const whole = [{ id: first.id, ...python }, stored]
  t.same(await listed(), whole)
  await admin.ok('DELETE', `/realm/playgrounds/${first.id}`)
  for (const ear of ears) {
    const events = await ear.inStep(t)
    t.same(
      events.map(({ type, realm_playgrounds }) => [type, realm_playgrounds]),
      [whole.slice(0, 1), whole, [stored]].map(list => ['realm_playgrounds', list]),
    )
  }
  await admin.ok('DELETE', `/realm/playgrounds/${id}`)
  t.same(await listed(guest), [])
})

t.test('the language of a removed playground stops being that of code blocks without one', async t => {
  const { id } = await admin.ok('POST', '/realm/playgrounds', python)
  const { id: other } = await admin.ok('POST', '/realm/playgrounds', { ...python, pygments_language: 'Rust' })
  await setOrganization(server.sql, { default_code_block_language: 'Python' })
  const ear = await Listener.start(server.ctx, guest)
  await admin.ok('DELETE', `/realm/playgrounds/${other}`)
  await admin.ok('DELETE', `/realm/playgrounds/${id}`)
  t.match(await ear.inStep(t), [
    { type: 'realm_playgrounds', realm_playgrounds: [{ id }] },
    { type: 'realm', op: 'update', property: 'default_code_block_language', value: '' },
    { type: 'realm_playgrounds', realm_playgrounds: [] },
  ])
})

t.test('people and input that are refused', async t => {
  const { id } = await admin.ok('POST', '/realm/playgrounds', python)
  const bot = await server.person({ bot_type: 1, bot_owner_id: admin.id })
  const others = [await server.person({ role: 300 }), await server.person(), guest, bot]
  const ear = await Listener.start(server.ctx, admin)
  for (const who of others) {
    const refused = { status: 400, body: { code: 'UNAUTHORIZED_PRINCIPAL' } }
    t.match(await who.post('/realm/playgrounds', { ...python, name: 'New' }), refused, who.full_name)
    t.match(await who.delete(`/realm/playgrounds/${id}`), refused, who.full_name)
  }
  t.equal((await server.api(null).post('/realm/playgrounds', python)).status, 401)
  t.equal((await server.api(null).delete(`/realm/playgrounds/${id}`)).status, 401)
  const withErrors = (field: string) => ({ code: 'BAD_REQUEST', errors: { [field]: [/./] } })
  const cases: [string, Loose, Loose][] = [
    ['no name', { name: undefined }, { code: 'REQUEST_VARIABLE_MISSING', var_name: 'name' }],
    ['no language', { pygments_language: undefined }, { code: 'REQUEST_VARIABLE_MISSING' }],
    ['no template', { url_template: undefined }, { code: 'REQUEST_VARIABLE_MISSING' }],
    ['blank name', { name: ' ' }, withErrors('name')],
    ['blank language', { pygments_language: ' ' }, withErrors('pygments_language')],
    ['NUL in the name', { name: 'a\0b' }, withErrors('name')],
    ['long name', { name: 'x'.repeat(101) }, { code: 'BAD_REQUEST' }],
    ['long language', { pygments_language: 'x'.repeat(41) }, { code: 'BAD_REQUEST' }],
    ['signs in the language', { pygments_language: 'a<b>' }, { code: 'BAD_REQUEST', errors: undefined }],
    ['blank template', { url_template: '' }, withErrors('url_template')],
    ['no template text', { url_template: 'https://x/{code' }, withErrors('url_template')],
    ['long template', { url_template: `https://x/{code}${'x'.repeat(2048)}` }, { code: 'BAD_REQUEST' }],
    ['script', { url_template: 'javascript:{code}' }, withErrors('url_template')],
    ['scheme by the code', { url_template: '{+code}' }, withErrors('url_template')],
    ['host by the code', { url_template: 'https://{code}' }, withErrors('url_template')],
    ['no variable', { url_template: 'https://x/' }, withErrors('__all__')],
    ['another variable', { url_template: 'https://x/{other}' }, withErrors('__all__')],
    ['two variables', { url_template: 'https://x/{code}{other}' }, withErrors('__all__')],
    ['there already', { name: 'Sandbox ' }, withErrors('__all__')],
  ]
  for (const [title, change, body] of cases) {
    const sent = { ...python, ...(title === 'there already' ? {} : { name: 'New' }), ...change }
    t.match(await add(sent), { status: 400, body }, title)
  }
  for (const unknown of [0, 2_000_000_000, 99_999_999_999]) {
    t.match(await admin.delete(`/realm/playgrounds/${unknown}`), { status: 400, body: { code: 'BAD_REQUEST' } })
  }
  t.same(await listed(), [{ id, ...python }])
  t.same(await ear.inStep(t), [])
  const answers = await Promise.all([
    admin.delete(`/realm/playgrounds/${id}`),
    second.api(admin.who).delete(`/realm/playgrounds/${id}`),
  ])
  t.same(answers.map(({ status }) => status).sort(), [200, 400], 'of two at once one finds nothing')
  t.equal((await ear.inStep(t)).length, 1)
})

t.test('an organization has so many playgrounds', async t => {
  await server.sql`
    insert into playgrounds (name, pygments_language, url_template)
    select 'number ' || n, 'Go', 'https://x.example/{code}' from generate_series(1, ${budgets.playgrounds.most - 1}) as n`
  await changeDirectory(server.sql, (tx, version) => tx`update organization_lists set version = ${version}`)
  const answers = await Promise.all([add({ ...python, name: 'one' }), add({ ...python, name: 'two' })])
  t.same(answers.map(({ status }) => status).sort(), [200, 400])
  t.match(await add(python), { status: 400, body: { code: 'BAD_REQUEST', msg: /at most 100 playgrounds/ } })
  t.equal((await listed()).length, budgets.playgrounds.most)
})

t.test('the changes are in the audit log', async t => {
  const { id } = (await listed())[0] as Loose
  await admin.ok('DELETE', `/realm/playgrounds/${id}`)
  const [row] = await server.sql`
    select actor_id, operation, event, after from audit_log where operation = 'remove_playground' order by id desc limit 1`
  t.match(row, { actor_id: admin.id, event: 'realm_playgrounds' })
  t.equal(row?.after.playgrounds.length, budgets.playgrounds.most - 1)
})

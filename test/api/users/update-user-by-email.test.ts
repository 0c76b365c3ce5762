import t from 'tap'
import { addProfileField } from '../../../server/actions/users/profile-fields.js'
import { Listener, type Loose } from '../../support/in-step.js'
import { setOrganization, setUser } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const { sql, ctx } = server
const owner = await server.person({ role: 100 })
const admin = await server.person({ role: 200 })
const dummy = (person: Person) => `user${person.id}@${ctx.realmHost}`

const update = (who: Person, whom: { readonly id: number }, params: Loose) => who.patch(`/users/${whom.id}`, params)
const refused = { status: 400, body: { result: 'error', code: 'BAD_REQUEST' } }

t.test('a user is found by the dummy address always, by the real one only where the caller sees it', async t => {
  const hidden = await server.person({ email_address_visibility: 4 })
  const shown = await server.person({ email_address_visibility: 3 })
  const by = (address: string, full_name: string) => admin.patch(`/users/${encodeURIComponent(address)}`, { full_name })
  t.match(await by(hidden.email, 'By Real'), refused)
  t.match(await by('nobody@test.example', 'By Real'), refused)
  t.match(await by(`user${hidden.id}@elsewhere.example`, 'By Real'), refused)
  for (const address of [dummy(hidden), dummy(shown), shown.email.toUpperCase()]) {
    t.equal((await by(address, `By ${address.replaceAll('@', ' at ')}`)).status, 200, address)
  }
  t.match(await by(shown.email, 'X'), refused)
})

t.test('by the address everything changes that changes by the id', async t => {
  const person = await server.person()
  const { id } = await addProfileField(ctx, {
    type: 'SHORT_TEXT',
    name: 'Room',
    hint: '',
    options: [],
    urlPattern: null,
    required: false,
    editableByUser: true,
    inSummary: false,
  })
  const place = `/users/${dummy(person)}`
  await admin.ok('PATCH', place, { role: 300, profile_data: [{ id, value: 'Attic' }] })
  t.match(await person.ok('GET', '/users/me'), { role: 300, profile_data: { [id]: { value: 'Attic' } } })
  await setUser(sql, owner.id, { can_change_user_emails: true })
  await owner.ok('PATCH', place, { new_email: 'by-address@test.example' })
  await setUser(sql, owner.id, { can_change_user_emails: false })
  const moved = server.api({ email: 'by-address@test.example', api_key: person.api_key })
  t.equal((await moved.ok('GET', '/users/me')).user_id, person.id)
})

t.test('a new address, for owners who may', async t => {
  const person = await server.person()
  t.match(await update(owner, person, { new_email: 'new@test.example' }), refused)
  await setUser(sql, admin.id, { can_change_user_emails: true })
  t.match(await update(admin, person, { new_email: 'new@test.example' }), refused, 'it takes an owner')
  await setUser(sql, owner.id, { can_change_user_emails: true })
  const taken = await server.person({ email: 'taken@test.example' })
  for (const new_email of [
    '',
    'nobody',
    'a b@test.example',
    'a@b@c',
    'TAKEN@test.example',
    `${'a'.repeat(250)}@b.example`,
  ]) {
    t.match(await update(owner, person, { new_email }), refused, new_email)
  }
  await owner.ok('PATCH', `/users/${taken.id}`, { new_email: 'Taken@test.example' })

  for (const email_address_visibility of [1, 3] as const) {
    const target = await server.person({ email_address_visibility })
    const member = await server.person()
    const ears = { member: await Listener.start(ctx, member), admin: await Listener.start(ctx, admin) }
    const new_email = `moved${email_address_visibility}@test.example`
    await owner.ok('PATCH', `/users/${target.id}`, { new_email })
    const isPublic = email_address_visibility === 1
    const seen = (await ears.member.inStep(t)).map(event => Object.keys(event.person).at(1))
    t.same(seen, isPublic ? ['delivery_email', 'new_email', 'avatar_source'] : [])
    const byAdmin = (await ears.admin.inStep(t)).map(event => Object.keys(event.person).at(1))
    t.same(byAdmin, isPublic ? ['delivery_email', 'new_email', 'avatar_source'] : ['delivery_email', 'avatar_source'])
    const moved = server.api({ email: new_email, api_key: target.api_key })
    t.equal((await moved.ok('GET', '/users/me')).user_id, target.id)
    t.equal((await target.get('/users/me')).status, 401)
  }
  await setOrganization(sql, { emails_restricted_to_domains: true })
  t.match(await update(owner, person, { new_email: 'other@test.example' }), refused)
  await setOrganization(sql, { emails_restricted_to_domains: false })
})

t.test('two who want the same address: one gets it', async t => {
  await setUser(sql, owner.id, { can_change_user_emails: true })
  const people = [await server.person(), await server.person()] as const
  const answers = await Promise.all(people.map(one => update(owner, one, { new_email: 'wanted@test.example' })))
  t.same(answers.map(answer => answer.status).sort(), [200, 400])
})

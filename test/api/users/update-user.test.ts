import t from 'tap'
import { kinds, Listener, type Loose } from '../../support/in-step.js'
import { limitGuests, setOrganization, setUser } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { createChannel } from './scene.js'

const server = await startServer(t)
const { sql, ctx } = server
const owner = await server.person({ role: 100 })
const admin = await server.person({ role: 200 })
const dummy = (person: Person) => `user${person.id}@${ctx.realmHost}`

const update = (who: Person, whom: Person | number, params: Loose) =>
  who.patch(`/users/${typeof whom === 'number' ? whom : whom.id}`, params)
const refused = { status: 400, body: { result: 'error', code: 'BAD_REQUEST' } }
const notEnough = { status: 400, body: { result: 'error', code: 'UNAUTHORIZED_PRINCIPAL' } }

t.test('a new name is told to everybody, once, and a blank or the same one to nobody', async t => {
  const person = await server.person()
  const bystander = await Listener.start(ctx, await server.person({ role: 600 }))
  await admin.ok('PATCH', `/users/${person.id}`, { full_name: '  New Name ' })
  t.match(await bystander.inStep(t), [
    { type: 'realm_user', op: 'update', person: { user_id: person.id, full_name: 'New Name' } },
  ])
  for (const full_name of ['New Name', '   ', '']) await admin.ok('PATCH', `/users/${person.id}`, { full_name })
  t.same(await bystander.inStep(t), [])
  t.equal((await person.ok('GET', '/users/me')).full_name, 'New Name')
})

t.test('names that cannot be', async t => {
  const person = await server.person()
  for (const full_name of ['X', 'x'.repeat(101), 'a*b', 'a@b', 'a`b', 'a\\b', 'a>b', 'a"b', 'a\u0000b', 'name|12']) {
    t.match(await update(admin, person, { full_name }), refused, JSON.stringify(full_name))
  }
  await admin.ok('PATCH', `/users/${person.id}`, { full_name: '😀'.repeat(100) })
  await setOrganization(sql, { require_unique_names: true })
  const other = await server.person({ full_name: 'Only One' })
  t.match(await update(admin, person, { full_name: 'ONLY one' }), refused)
  await admin.ok('PATCH', `/users/${other.id}`, { full_name: 'only ONE' })
  await setOrganization(sql, { require_unique_names: false })
  await admin.ok('PATCH', `/users/${person.id}`, { full_name: 'only ONE' })
})

t.test('who may not change whom', async t => {
  const person = await server.person()
  for (const role of [300, 400, 600] as const) {
    const caller = await server.person({ role })
    t.match(await update(caller, person, { full_name: 'Changed' }), refused, `${role}`)
    t.match(await update(caller, caller, { full_name: 'Changed' }), refused, `${role} itself`)
  }
  t.match(await update(admin, 99_999_999, { full_name: 'Changed' }), refused)
  t.match(await update(admin, 99_999_999_999, { full_name: 'Changed' }), refused)
  const stranger = await owner.patch(`/users/${person.id}`, { full_name: 'Ok Name', nonsense: 1 })
  t.same(stranger.body.ignored_parameters_unsupported, ['nonsense'])
  t.match(await server.api(null).patch(`/users/${person.id}`, { full_name: 'Changed' }), { status: 401 })
})

t.test('the owner of a bot changes the bot, but not its role', async t => {
  const person = await server.person()
  const bot = await server.person({ bot_type: 1, bot_owner_id: person.id })
  await person.ok('PATCH', `/users/${bot.id}`, { full_name: 'My Bot' })
  t.match(await update(person, bot, { role: 300 }), notEnough)
  await person.ok('PATCH', `/users/${bot.id}`, { role: 400 })
  t.match(await update(await server.person(), bot, { full_name: 'Not Mine' }), refused)
  await admin.ok('PATCH', `/users/${bot.id}`, { role: 600 })
  t.equal((await admin.ok('GET', `/users/${bot.id}`)).user.role, 600)
})

t.test('deactivated users are changed too; of the groups nothing is told', async t => {
  const person = await server.person({ is_active: false })
  const ear = await Listener.start(ctx, await server.person())
  await admin.ok('PATCH', `/users/${person.id}`, { role: 300, full_name: 'Gone But Known' })
  t.same(kinds(await ear.inStep(t)), ['realm_user/update', 'realm_user/update'])
})

t.test('roles that cannot be given', async t => {
  const person = await server.person()
  const guest = await server.person({ role: 600 })
  for (const role of [0, 500, 150, -100, '"400"', 'owner', 400.5]) {
    t.match(await update(owner, person, { role }), refused, JSON.stringify(role))
  }
  t.match(await update(admin, person, { role: 100 }), notEnough, 'an administrator makes no owners')
  t.match(await update(admin, owner, { role: 200 }), notEnough, 'nor unmakes them')
  t.match(await update(owner, owner, { role: 200 }), refused, 'the only owner stays one')
  t.match(await update(owner, guest, { role: 200 }), refused, 'a guest is no administrator')
  t.match(await update(owner, guest, { role: 100 }), refused, 'nor an owner')
  await owner.ok('PATCH', `/users/${guest.id}`, { role: 400 })
  await owner.ok('PATCH', `/users/${guest.id}`, { role: 200 })
})

t.test('nothing is done when one part is refused', async t => {
  const person = await server.person()
  const ear = await Listener.start(ctx, person)
  t.match(await update(admin, person, { full_name: 'Half Done', role: 300, new_email: 'a@b.example' }), refused)
  t.same(await ear.inStep(t), [])
})

t.test('two owners who demote each other at once: one of them stays', async t => {
  for (let round = 0; round < 5; round++) {
    const [one, other] = [await server.person({ role: 100 }), await server.person({ role: 100 })]
    await setUser(sql, owner.id, { is_active: false })
    const answers = await Promise.all([update(one, other, { role: 400 }), update(other, one, { role: 400 })])
    t.same(answers.map(answer => answer.status).sort(), [200, 400])
    const [{ count }] =
      (await sql`select count(*)::int as count from users where role = 100 and is_active`) as Loose[] as [Loose]
    t.equal(count, 1)
    await setUser(sql, owner.id, { is_active: true })
    await sql`update users set role = 400, version = version where role = 100 and id <> ${owner.id}`
    await setUser(sql, one.id, { role: 400 })
    await setUser(sql, other.id, { role: 400 })
  }
})

t.test('two owners who step down at once: the second one may not', async t => {
  const other = await server.person({ role: 100 })
  const answers = await Promise.all([update(other, other, { role: 400 }), update(owner, owner, { role: 200 })])
  t.same(answers.map(answer => answer.status).sort(), [200, 400])
  await setUser(sql, owner.id, { role: 100 })
  await setUser(sql, other.id, { role: 400 })
})

t.test('a role with all that follows, in the order that clients rely on', async t => {
  const [member, guest] = [await server.person(), await server.person({ role: 600 })]
  const otherGuest = await server.person({ role: 600 })
  await createChannel(sql, 'open to members', [member.id])
  await createChannel(sql, 'with the guest', [guest.id, member.id])
  await server.person({ bot_type: 1, bot_owner_id: member.id })
  const ears = {
    itself: await Listener.start(ctx, guest),
    member: await Listener.start(ctx, member),
    admin: await Listener.start(ctx, admin),
    guest: await Listener.start(ctx, otherGuest),
  }
  const followUp = ['realm_user/update', 'user_group/remove_members', 'user_group/add_members']
  await owner.ok('PATCH', `/users/${guest.id}`, { role: 400 })
  const up = kinds(await ears.itself.inStep(t))
  t.same(up.slice(0, 4), [...followUp, 'stream/create'])
  t.ok(up.includes('subscription/peer_add'))
  for (const ear of [ears.member, ears.admin, ears.guest]) t.same(kinds(await ear.inStep(t)), followUp)

  await owner.ok('PATCH', `/users/${guest.id}`, { role: 200 })
  const admitted = await ears.itself.inStep(t)
  t.same(kinds(admitted).slice(0, 3), followUp)
  t.ok(kinds(admitted).includes('realm_bot/add'), 'administrators set up all bots')
  for (const ear of [ears.member, ears.admin, ears.guest]) t.same(kinds(await ear.inStep(t)), followUp)

  await owner.ok('PATCH', `/users/${guest.id}`, { role: 600 })
  const down = kinds(await ears.itself.inStep(t))
  t.same(down.slice(0, 4), [...followUp, 'stream/delete'])
  t.ok(down.includes('realm_bot/delete'))
  for (const ear of [ears.member, ears.admin, ears.guest]) t.same(kinds(await ear.inStep(t)), followUp)
})

t.test('what a role shows and hides of addresses', async t => {
  const viewer = await server.person()
  for (const email_address_visibility of [1, 2, 3, 4, 5] as const) await server.person({ email_address_visibility })
  const ear = await Listener.start(ctx, viewer)
  const about = (events: Loose[]) => events.filter(event => 'delivery_email' in (event.person ?? {}))
  for (const [role, changed] of [
    [300, 1],
    [200, 1],
    [400, 2],
    [600, 1],
  ] as const) {
    await owner.ok('PATCH', `/users/${viewer.id}`, { role })
    t.equal(about(await ear.inStep(t)).length, changed, `${role}`)
  }
})

t.test('a guest who may not know everybody, and no longer is one', async t => {
  await limitGuests(sql)
  const [person, friend] = [await server.person({ role: 600 }), await server.person()]
  await server.person({ is_active: false })
  await createChannel(sql, 'shared by two', [person.id, friend.id])
  const ear = await Listener.start(ctx, person)
  await owner.ok('PATCH', `/users/${person.id}`, { role: 400 })
  const gained = await ear.inStep(t)
  t.ok(gained.filter(event => event.op === 'add' && event.type === 'realm_user').length > 10)
  t.notOk(
    gained.some(event => event.op === 'add' && event.person?.user_id === friend.id),
    'who was known is not new',
  )
  await owner.ok('PATCH', `/users/${person.id}`, { role: 600 })
  const lost = await ear.inStep(t)
  t.equal(kinds(lost).at(-1), 'realm_user/remove')
  t.notOk(lost.some(event => event.op === 'remove' && event.person?.user_id === friend.id))
  await setOrganization(sql, { can_access_all_users_group: null })
})

t.test('changes of a user reach only who may know it', async t => {
  await limitGuests(sql)
  const person = await server.person()
  const [near, far] = [await server.person({ role: 600 }), await server.person({ role: 600 })]
  await createChannel(sql, 'near and person', [near.id, person.id])
  const ears = [await Listener.start(ctx, near), await Listener.start(ctx, far)] as const
  await admin.ok('PATCH', `/users/${person.id}`, { full_name: 'Told To Some' })
  t.same(kinds(await ears[0].inStep(t)), ['realm_user/update'])
  t.same(kinds(await ears[1].inStep(t)), [])
  await setOrganization(sql, { can_access_all_users_group: null })
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
    t.same(seen, isPublic ? ['delivery_email', 'avatar_source', 'new_email'] : [])
    const byAdmin = (await ears.admin.inStep(t)).map(event => Object.keys(event.person).at(1))
    t.same(byAdmin, isPublic ? ['delivery_email', 'avatar_source', 'new_email'] : ['delivery_email', 'avatar_source'])
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

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

const update = (who: Person, whom: { readonly id: number }, params: Loose) => who.patch(`/users/${whom.id}`, params)
const refused = { status: 400, body: { result: 'error', code: 'BAD_REQUEST' } }
const notEnough = { status: 400, body: { result: 'error', code: 'UNAUTHORIZED_PRINCIPAL' } }

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
  const open = await createChannel(sql, 'open to members', [member.id])
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

  // Topic policies of a channel disappear when a guest may no longer know of it.
  await guest.ok('POST', '/user_topics', { stream_id: open, topic: 'followed', visibility_policy: 3 })
  await ears.itself.inStep(t)

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

t.test('a guest with a limited view of users, and the same user after its promotion', async t => {
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

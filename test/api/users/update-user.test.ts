import t from 'tap'
import { kinds, Listener, type Loose } from '../../support/in-step.js'
import { limitGuests, setOrganization } from '../../support/organization.js'
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

t.test('a new name makes one event for all users; a blank or unchanged name makes none', async t => {
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

t.test('which callers may not change which users', async t => {
  const person = await server.person()
  for (const role of [300, 400, 600] as const) {
    const caller = await server.person({ role })
    t.match(await update(caller, person, { full_name: 'Changed' }), refused, `${role}`)
    t.match(await update(caller, caller, { full_name: 'Changed' }), refused, `${role} itself`)
  }
  t.match(await update(admin, { id: 99_999_999 }, { full_name: 'Changed' }), refused)
  t.match(await update(admin, { id: 99_999_999_999 }, { full_name: 'Changed' }), refused)
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

t.test('deactivated users are changed too; their groups make no event', async t => {
  const person = await server.person({ is_active: false })
  const ear = await Listener.start(ctx, await server.person())
  await admin.ok('PATCH', `/users/${person.id}`, { role: 300, full_name: 'Gone But Known' })
  t.same(kinds(await ear.inStep(t)), ['realm_user/update', 'realm_user/update'])
})

t.test('nothing is done when one part is refused', async t => {
  const person = await server.person()
  const ear = await Listener.start(ctx, person)
  t.match(await update(admin, person, { full_name: 'Half Done', role: 300, new_email: 'a@b.example' }), refused)
  t.same(await ear.inStep(t), [])
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

import t from 'tap'
import { budgets } from '../../../server/config/budgets.js'
import { bumpVersion } from '../../../server/store/organization/organization.js'
import { kinds, Listener, type Loose } from '../../support/in-step.js'
import { limitGuests } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const path = (id: number) => `/users/me/muted_users/${id}`
const ids = (events: Loose[]) => events[0]?.muted_users.map((one: Loose) => one.id)
const unreadOf = (ear: Listener) => ear.state.unread_msgs.count

async function write(from: Person, to: Person, content = 'hello'): Promise<number> {
  return (await from.ok('POST', '/messages', { type: 'direct', to: [to.id], content })).id
}

t.test('muting marks the messages of the user as read; later ones are read from the start', async t => {
  const [owner, loud, other] = [await server.person(), await server.person(), await server.person()]
  for (const person of [owner, loud, other]) {
    await person.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'noise' }] })
  }
  const post = async (from: Person, content: string): Promise<number> =>
    (await from.ok('POST', '/messages', { type: 'stream', to: 'noise', topic: 'x', content })).id
  const before = [await write(loud, owner), await post(loud, 'one')]
  await post(other, 'two')
  const [ear, muted, third] = [
    await Listener.start(server.ctx, owner),
    await Listener.start(server.ctx, loud),
    await Listener.start(server.ctx, other),
  ]
  const unread = unreadOf(ear)
  await owner.ok('POST', path(loud.id))
  const events = await ear.inStep(t)
  t.match(events, [
    { type: 'update_message_flags', op: 'add', flag: 'read', all: false, messages: before },
    { type: 'muted_users', muted_users: [{ id: loud.id }] },
  ])
  t.ok(Math.abs(events[1]?.muted_users[0].timestamp - Date.now() / 1000) < 600, 'UNIX seconds')
  t.equal(unreadOf(ear), unread - 2)
  t.same(await muted.inStep(t), [], 'the muted user learns nothing')

  const mention = await post(loud, `@**${owner.full_name}** look`)
  await write(loud, owner)
  await post(other, 'heard')
  const received = (await ear.inStep(t)).filter(event => event.type === 'message')
  t.match(received, [
    { type: 'message', flags: ['read', 'mentioned'] },
    { type: 'message', flags: ['read'] },
    { type: 'message', flags: [] },
  ])
  t.equal(unreadOf(ear), unread - 1)
  const fetched = await owner.ok('GET', `/messages/${mention}`)
  t.same(fetched.message.flags, ['read', 'mentioned'])
  t.match(await third.inStep(t), [{ flags: [] }, { flags: [] }], 'for others nothing changes')
  await muted.inStep(t)

  await owner.ok('DELETE', path(loud.id))
  t.same(kinds(await ear.inStep(t)), ['muted_users'], 'no message becomes unread')
  await write(loud, owner)
  t.match(await ear.inStep(t), [{ type: 'message', flags: [] }])
})

t.test('a message of a muted user can be marked as unread', async t => {
  const [owner, loud] = [await server.person(), await server.person()]
  await owner.ok('POST', path(loud.id))
  const id = await write(loud, owner)
  const ear = await Listener.start(server.ctx, owner)
  await owner.ok('POST', '/messages/flags', { op: 'remove', flag: 'read', messages: [id] })
  t.same(kinds(await ear.inStep(t)), ['update_message_flags/remove'])
  t.equal(unreadOf(ear), 1)
})

t.test('the list is in the order of muting and contains bots and deactivated users', async t => {
  const owner = await server.person()
  const bot = await server.person({ bot_type: 1, bot_owner_id: owner.id })
  const people = [await server.person({ is_active: false }), bot, await server.person()]
  const ear = await Listener.start(server.ctx, owner)
  for (const [i, { id }] of people.entries()) {
    await owner.ok('POST', path(id))
    const events = await ear.inStep(t)
    t.same(
      ids(events),
      people.slice(0, i + 1).map(one => one.id),
    )
  }
  await owner.ok('DELETE', path(bot.id))
  t.same(ids(await ear.inStep(t)), [people[0]?.id, people[2]?.id])
})

t.test('refused', async t => {
  const [owner, other] = [await server.person(), await server.person()]
  await owner.ok('POST', path(other.id))
  const ear = await Listener.start(server.ctx, owner)
  const refused = { status: 400, body: { code: 'BAD_REQUEST' } }
  for (const id of [owner.id, other.id, 99_999_999, 99_999_999_999])
    t.match(await owner.post(path(id)), refused, `${id}`)
  for (const id of [owner.id, 99_999_999]) t.match(await owner.delete(path(id)), refused, `unmute ${id}`)
  t.match(await other.delete(path(owner.id)), refused, 'the mute of another user')
  t.equal((await server.api(null).post(path(other.id))).status, 401)
  t.equal((await server.api(null).delete(path(other.id))).status, 401)
  t.same(await ear.inStep(t), [])
  const full = await server.person()
  const most = Array.from({ length: budgets.mutedUsers.most }, (_, i) => ({ id: 1_000_000 + i, timestamp: 1 }))
  await server.sql.begin(async tx => {
    const version = await bumpVersion(tx)
    await tx`update users set muted_users = ${tx.json(most)}, version = ${version} where id = ${full.id}`
  })
  t.match(await full.post(path(other.id)), refused, 'too many')
})

t.test('of two requests at once one mutes', async t => {
  const [owner, other] = [await server.person(), await server.person()]
  const ear = await Listener.start(server.ctx, owner)
  const answers = await Promise.all([1, 2, 3].map(() => owner.post(path(other.id))))
  t.same(answers.map(answer => answer.status).sort(), [200, 400, 400])
  t.same(kinds(await ear.inStep(t)), ['muted_users'])
})

t.test('a guest with limited access cannot mute users that it does not know', async t => {
  await limitGuests(server.sql)
  const [guest, stranger] = [await server.person({ role: 600 }), await server.person()]
  t.match(await guest.post(path(stranger.id)), { status: 400, body: { code: 'BAD_REQUEST' } })
})

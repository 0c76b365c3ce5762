import t from 'tap'
import { type Admission, join } from '../../../server/actions/joining/join.js'
import { createChannel } from '../../api/users/scene.js'
import { until } from '../../http/until.js'
import { kinds, Listener, type Loose } from '../../support/in-step.js'
import { setChannel, setOrganization } from '../../support/organization.js'
import { Person } from '../../support/people.js'
import { statementsOf } from '../../support/queries.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const { sql, ctx } = server
const inviter = await server.person({ role: 200, full_name: 'Inviting Person' })

/** The jobs of a change end after it. */
const settled = () => until(async () => (await sql`select from jobs where kind in ('notice', 'mail')`).length === 0)

const none: Admission = { role: 400, channels: { withDefaults: false, ids: [] } }
let made = 0
async function newcomer(admission: Partial<Admission> = {}, fullName = `Newcomer ${made}`): Promise<Person> {
  const email = `joined${++made}@test.example`
  const user = await join(ctx, { email, fullName, passwordHash: null }, () => ({ ...none, ...admission }))
  await settled()
  return new Person(user.id, email, user.api_key, { url: server.url, full_name: user.full_name })
}
const send = async (channel: number, content: string, topic = 'plans'): Promise<number> =>
  (await inviter.ok('POST', '/messages', { type: 'stream', to: channel, topic, content })).id
const messagesOf = async (who: Person, narrow: Loose[] = []): Promise<Loose[]> =>
  (await who.ok('GET', '/messages', { anchor: 'newest', num_before: 100, num_after: 0, narrow })).messages

t.test('channels, groups, and messages about a person who was invited', async t => {
  const [open, hidden, standard, lost, archived] = await Promise.all([
    createChannel(sql, 'open', []),
    createChannel(sql, 'hidden', [inviter.id]),
    createChannel(sql, 'standard', [inviter.id]),
    createChannel(sql, 'lost', []),
    createChannel(sql, 'gone', []),
  ])
  for (const id of [hidden, lost]) await setChannel(sql, id, { invite_only: true })
  await setChannel(sql, standard, { is_default: true })
  await setChannel(sql, archived, { is_archived: true })
  await inviter.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'newcomers' }] })
  const { stream_id: signups } = await inviter.ok('GET', '/get_stream_id', { stream: 'newcomers' })
  await setOrganization(sql, { signup_announcements_stream_id: signups })
  const created = await Promise.all(
    ['crew', 'former'].map(name =>
      inviter.ok('POST', '/user_groups/create', { name, description: '', members: [inviter.id] }),
    ),
  )
  const [crew, former] = created.map(one => one.group_id as number)
  await inviter.ok('POST', `/user_groups/${former}/deactivate`)
  const ear = await Listener.start(ctx, inviter)
  const user = ctx.directory.users.get(inviter.id)
  const person = await newcomer({
    role: 300,
    channels: { withDefaults: true, ids: [hidden, open, lost, archived, standard], inviter: user },
    groupIds: [crew as number, former as number, crew as number],
    notified: user,
  })
  const { subscriptions } = await person.ok('GET', '/users/me/subscriptions')
  t.same(subscriptions.map((one: Loose) => one.name).sort(), ['hidden', 'open', 'standard'])
  const { user_groups } = await inviter.ok('GET', '/user_groups')
  const membersOf = (id?: number) => user_groups.find((one: Loose) => one.id === id)?.members
  t.same(membersOf(crew), [inviter.id, person.id])
  t.match(await person.ok('GET', '/users/me'), { role: 300 })
  await settled()
  const events = await ear.inStep(t)
  const [added, ofRole, ofGroup, ...rest] = events
  t.match(added, { type: 'realm_user', op: 'add', person: { user_id: person.id, profile_data: {} } })
  t.match([ofRole?.op, ofGroup?.op, ofGroup?.group_id], ['add_members', 'add_members', crew])
  t.ok(kinds(rest).includes('subscription/peer_add'))
  const texts = events
    .filter(one => one.type === 'message')
    .map(one => one.message.content.replace(/@_\*\*|\|\d+\*\*/g, ''))
  t.same(texts.sort(), [
    `${person.full_name} accepted your invitation to join this organization.`,
    `${person.full_name} joined this organization.`,
  ])
  await setOrganization(sql, { signup_announcements_stream_id: -1 })
  await setChannel(sql, standard, { is_default: false })
})

t.test('the newest twenty messages of its channels are unread, all of the time before are historical', async t => {
  const [busy, quiet, secret] = await Promise.all([
    createChannel(sql, 'busy', [inviter.id]),
    createChannel(sql, 'quiet', [inviter.id]),
    createChannel(sql, 'secret', [inviter.id]),
  ])
  await setChannel(sql, secret, { invite_only: true, history_public_to_subscribers: false })
  const sent: number[] = []
  for (let i = 0; i < 12; i++) {
    sent.push(await send(busy, `busy ${i}`))
    sent.push(await send(quiet, i === 11 ? '@**all** come' : `quiet ${i}`))
    await send(secret, `secret ${i}`)
  }
  const elsewhere = await createChannel(sql, 'elsewhere', [inviter.id])
  await send(elsewhere, 'not for newcomers')
  const user = ctx.directory.users.get(inviter.id)
  const person = await newcomer({ channels: { withDefaults: false, ids: [busy, quiet, secret], inviter: user } })
  const after = await send(busy, 'after')
  const ear = await Listener.start(ctx, person)
  const { unread_msgs } = ear.state
  const unread = unread_msgs.streams
    .flatMap((one: Loose) => one.unread_message_ids)
    .sort((a: number, b: number) => a - b)
  t.same(unread, [...sent.slice(-20), after])
  const inChannels = await Promise.all(
    [busy, quiet].map(id => messagesOf(person, [{ operator: 'channel', operand: id }])),
  )
  const flags = new Map(inChannels.flat().map(one => [one.id, one.flags]))
  for (const id of sent) t.equal(flags.get(id)?.includes('historical'), true, 'sent before')
  for (const id of sent) t.equal(flags.get(id)?.includes('read'), !unread.includes(id), 'read or not')
  t.same(flags.get(after), [])
  t.notOk((await messagesOf(person)).some(one => one.content.includes('secret')))
  // The rest of the flags follow from the messages as usual: marking as read, starring, and a restart of the client.
  await person.ok('POST', '/messages/flags', { op: 'add', flag: 'read', messages: unread.slice(0, 5) })
  await person.ok('POST', '/messages/flags', { op: 'add', flag: 'starred', messages: [sent.at(-1)] })
  await ear.inStep(t)
  await person.ok('POST', '/messages/flags', { op: 'remove', flag: 'read', messages: unread.slice(0, 2) })
  await ear.inStep(t)
})

t.test(
  'the welcome bot greets the person, with a star, and with the text of the organization or the invitation',
  async t => {
    await setOrganization(sql, { welcome_message_custom_text: 'Read *this*' })
    const texts = async (welcomeText: string | null) => {
      const person = await newcomer({ welcomeText })
      const ear = await Listener.start(ctx, person)
      const greetings = (await messagesOf(person)).filter(one => one.sender_full_name === 'Welcome Bot')
      for (const one of greetings) t.same(one.flags, ['starred'])
      t.same(
        ear.state.starred_messages,
        greetings.map(one => one.id),
      )
      return greetings.map(one => one.content)
    }
    const [first, second, ...more] = await texts(null)
    t.match(first, 'welcome to <strong>Parley</strong>!')
    t.equal(second, '<p>Read <em>this</em></p>')
    t.same(more, [])
    t.equal((await texts('For you'))[1], '<p>For you</p>')
    await setOrganization(sql, { welcome_message_custom_text: '' })
    t.equal((await texts(null)).length, 1)
    const quiet = await newcomer({ isQuiet: true })
    t.same(await messagesOf(quiet), [])
  },
)

t.test('a greeting reaches clients that are there already, with its star', async t => {
  const person = await newcomer({ isQuiet: true })
  const ear = await Listener.start(ctx, person)
  await ctx.write(async (_tx, _emit, { after }) => {
    const { welcomeNotices } = await import('../../../server/actions/joining/joining-notices.js')
    const { addNotices } = await import('../../../server/job-types/notice.js')
    const user = ctx.directory.users.get(person.id)
    if (user) addNotices(after, welcomeNotices(ctx.directory, user, ''))
  })
  await settled()
  t.match(await ear.inStep(t), [{ type: 'message', flags: ['starred'] }])
})

t.test('the number of statements depends neither on channels nor on groups nor on messages', async t => {
  const channels: number[] = []
  const groups: number[] = []
  for (let i = 0; i < 12; i++) {
    channels.push(await createChannel(sql, `many ${i}`, [inviter.id]))
    await send(channels[i] as number, 'hello')
    groups.push(
      (await inviter.ok('POST', '/user_groups/create', { name: `many ${i}`, description: '', members: [] })).group_id,
    )
  }
  await newcomer({ channels: { withDefaults: false, ids: channels.slice(0, 1) }, groupIds: groups.slice(0, 1) })
  const count = async (of: number) => {
    const admission = { channels: { withDefaults: false, ids: channels.slice(0, of) }, groupIds: groups.slice(0, of) }
    return (await statementsOf(server, () => newcomer({ ...admission, isQuiet: true }))).length
  }
  const [one, all] = [await count(1), await count(12)]
  t.equal(all, one)
})

t.test('a name that the person chose may not look like that of an administrator or a bot of the server', async t => {
  for (const name of ['Inviting Person', 'INVITING PERS0N', 'Welcome Bot', 'Notification Bοt']) {
    const chosen = newcomer({ hasChosenName: true }, name)
    t.match(
      await chosen.then(
        () => 'done',
        error => error.code,
      ),
      'BAD_REQUEST',
      name,
    )
    t.ok((await newcomer({}, name)).id, 'one that administrators gave')
    await sql`update users set full_name = 'Other ' || id where full_name = ${name} and id <> ${inviter.id}`
  }
})

t.test('what `admit` refuses leaves nothing behind', async t => {
  const counts = () => sql`
    select (select count(*) from users) as users, (select count(*) from jobs) as jobs, (select version from organization) as version`
  await settled()
  const before = await counts()
  const email = 'refused@test.example'
  await t.rejects(
    join(ctx, { email, fullName: 'Refused', passwordHash: null }, () => Promise.reject(new Error('no'))),
    'no',
  )
  await t.rejects(join(ctx, { email: inviter.email, fullName: 'Refused', passwordHash: null }, () => none))
  t.same(await counts(), before)
})

t.test('without a language of its own an account has that of the organization', async t => {
  await setOrganization(sql, { default_language: 'de' })
  t.teardown(() => setOrganization(sql, { default_language: 'en' }))
  const person = await newcomer()
  const { user_settings } = await person.ok('POST', '/register', { fetch_event_types: ['user_settings'] })
  t.match(user_settings, { default_language: 'de', twenty_four_hour_time: true })
})

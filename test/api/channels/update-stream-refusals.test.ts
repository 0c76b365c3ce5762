import t from 'tap'
import { groupId, setOrganization } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { freshName, type Loose } from './scene.js'

const server = await startServer(t)
const { ctx, sql } = server
await setOrganization(sql, { send_channel_events_messages: false })
const [owner, admin, member, guest] = [
  await server.person({ role: 100 }),
  await server.person({ role: 200 }),
  await server.person(),
  await server.person({ role: 600 }),
]
const group = (name: string) => groupId(sql, `role:${name}`)

async function channel(creator: Person, params: Loose = {}, subscribers: Person[] = []) {
  const name = freshName()
  const ids = subscribers.map(person => person.id)
  const { id } = await creator.ok('POST', '/channels/create', { name, subscribers: ids, ...params })
  return { id: id as number, name, path: `/streams/${id}` }
}

/** The used part of tap's `t`. */
interface Asserts {
  same(found: unknown, wanted: unknown, message: string): unknown
  match(found: unknown, wanted: unknown, message: string): unknown
}

/** The server refuses the change, and the channel is unchanged. */
async function refuses(t: Asserts, who: Person, path: string, cases: [string, Loose, Loose][]) {
  for (const [title, params, { status = 400, ...body }] of cases) {
    const before = await owner.get(path)
    const answer = await who.patch(path, { ...params })
    t.match(answer, { status, body: { result: 'error', code: 'BAD_REQUEST', ...body } }, title)
    t.same((await owner.get(path)).body, before.body, title)
  }
}

t.test('only administrators of a channel change it', async t => {
  const { path } = await channel(admin, {}, [admin, member, guest])
  const change = [['a name', { new_name: freshName() }, {}]] as [string, Loose, Loose][]
  await refuses(t, member, path, change)
  await refuses(t, guest, path, change)
  await admin.ok('PATCH', path, { can_administer_channel_group: { new: { direct_members: [member.id, guest.id] } } })
  await refuses(t, guest, path, change)
  t.equal((await member.patch(path, { new_name: freshName() })).status, 200, 'whom the channel names')
})

t.test('a bot of an administrator is no administrator', async t => {
  const bot = await server.person({ bot_type: 1, bot_owner_id: admin.id })
  const { path } = await channel(admin, {}, [bot])
  await refuses(t, bot, path, [['a name', { new_name: freshName() }, {}]])
})

t.test('a channel that is not there and one that one may not know are the same', async t => {
  const { path } = await channel(owner, { invite_only: true }, [owner])
  const unknown = await member.patch('/streams/2000000000', { description: 'x' })
  const secret = await member.patch(path, { description: 'x' })
  t.match(unknown, { status: 400, body: { code: 'BAD_REQUEST' } })
  t.same(secret.body, unknown.body)
})

t.test('values that are none', async t => {
  const { name, path } = await channel(owner)
  const other = await channel(owner)
  const bad = (title: string, params: Loose, body: Loose = {}): [string, Loose, Loose] => [title, params, body]
  await refuses(t, owner, path, [
    bad('a blank name', { new_name: '  ' }),
    bad('a name of 61', { new_name: '😀'.repeat(61) }),
    bad('a control character', { new_name: 'a\u0007b' }),
    bad('its own name', { new_name: name }),
    bad('its own name, with blanks', { new_name: ` ${name} ` }),
    bad(
      "another's name",
      { new_name: other.name },
      { status: 409, code: 'CHANNEL_ALREADY_EXISTS', channel_name: other.name },
    ),
    bad(
      "another's name in capitals, beside something that would be right",
      { description: 'x', new_name: other.name.toUpperCase() },
      { status: 409, code: 'CHANNEL_ALREADY_EXISTS', channel_name: other.name.toUpperCase() },
    ),
    bad('a description of 1025', { description: '😀'.repeat(1025) }),
    bad('no boolean', { is_private: 'yes' }),
    bad('no boolean for the web', { is_web_public: 1 }),
    bad('no boolean for history', { history_public_to_subscribers: 'x' }),
    bad('no boolean for default', { is_default_stream: 'x' }),
    bad('no boolean for the archive', { is_archived: 'x' }),
    bad('unknown folder', { folder_id: 77_777 }),
    bad('no folder', { folder_id: 'x' }),
    bad('unknown policy', { topics_policy: 'some' }),
    bad('retention 0', { message_retention_days: 0 }, { code: 'REQUEST_VARIABLE_INVALID', bad_value: 0 }),
    bad('retention -1', { message_retention_days: -1 }, { code: 'REQUEST_VARIABLE_INVALID', bad_value: -1 }),
    bad(
      'retention word',
      { message_retention_days: 'never' },
      { code: 'REQUEST_VARIABLE_INVALID', var_name: 'message_retention_days', bad_value: 'never' },
    ),
    bad('a plain group', { can_send_message_group: 5 }),
    bad('unknown group', { can_send_message_group: { new: 99_999 } }),
    bad('unknown user', { can_send_message_group: { new: { direct_members: [99_999] } } }),
    bad('the internet', { can_send_message_group: { new: await group('internet') } }),
    bad('everyone subscribes others', { can_add_subscribers_group: { new: await group('everyone') } }),
    bad('everyone administers', { can_administer_channel_group: { new: await group('everyone') } }),
    bad(
      'another value than the present one',
      { can_send_message_group: { new: await group('members'), old: await group('nobody') } },
      { code: 'EXPECTATION_MISMATCH', field_name: 'old' },
    ),
  ])
  t.equal((await owner.patch(path, { new_name: '😀'.repeat(60), description: '😀'.repeat(1024) })).status, 200)
})

t.test('what only administrators and owners say', async t => {
  const { path } = await channel(member)
  await refuses(t, member, path, [
    ['default channel', { is_default_stream: true }, {}],
    ['no default channel, as it is', { is_default_stream: false }, {}],
    ['retention', { message_retention_days: 5 }, { code: 'UNAUTHORIZED_PRINCIPAL' }],
    ['who may delete', { can_delete_own_message_group: { new: await group('members') } }, {}],
    ['who may delete anything', { can_delete_any_message_group: { new: await group('members') } }, {}],
  ])
  await refuses(t, admin, path, [
    ['retention, by an administrator', { message_retention_days: 5 }, { code: 'UNAUTHORIZED_PRINCIPAL' }],
  ])
})

t.test('what the organization reserves', async t => {
  const { path } = await channel(member)
  const nobody = await group('nobody')
  await setOrganization(sql, {
    can_set_topics_policy_group: nobody,
    can_create_private_channel_group: nobody,
    enable_spectator_access: true,
  })
  await refuses(t, member, path, [
    ['topics policy', { topics_policy: 'disable_empty_topic' }, {}],
    ['private', { is_private: true }, {}],
    ['web-public: owners only', { is_web_public: true }, {}],
  ])
  await setOrganization(sql, {
    enable_spectator_access: false,
    can_create_private_channel_group: await group('members'),
  })
  await refuses(t, owner, path, [['web-public where that is switched off', { is_web_public: true }, {}]])
  await member.ok('PATCH', path, { is_private: true })
  await setOrganization(sql, { can_create_public_channel_group: nobody })
  await refuses(t, member, path, [['public again', { is_private: false }, {}]])
  await setOrganization(sql, { can_create_public_channel_group: await group('members') })
})

t.test('what no channel can be', async t => {
  await setOrganization(sql, { enable_spectator_access: true })
  const open = await channel(owner, {}, [owner])
  await refuses(t, owner, open.path, [
    ['web-public and private', { is_web_public: true, is_private: true }, {}],
    ['web-public with protected history', { is_web_public: true, history_public_to_subscribers: false }, {}],
    ['public with protected history', { history_public_to_subscribers: false }, {}],
    ['private and default', { is_private: true, is_default_stream: true }, {}],
  ])
  await owner.ok('PATCH', open.path, { is_default_stream: true })
  await refuses(t, owner, open.path, [['private, as it is a default channel', { is_private: true }, {}]])
  await owner.ok('PATCH', open.path, { is_default_stream: false, is_private: true })
  await refuses(t, owner, open.path, [['a private default channel', { is_default_stream: true }, {}]])
  const web = await channel(owner, { is_web_public: true }, [owner])
  await refuses(t, owner, web.path, [['private, and still open to the web', { is_private: true }, {}]])
  const someCreate = await channel(owner, { can_create_topic_group: await group('members') }, [owner])
  await refuses(t, owner, someCreate.path, [
    ['protected history, where not everyone may create topics', { is_private: true }, {}],
  ])
  await owner.ok('PATCH', someCreate.path, {
    is_private: true,
    can_create_topic_group: { new: await group('everyone') },
  })
  await refuses(t, owner, someCreate.path, [
    ['the other way round', { can_create_topic_group: { new: await group('members') } }, {}],
  ])
  const moderation = await channel(owner, { invite_only: true }, [owner])
  await setOrganization(sql, { moderation_request_channel_id: moderation.id })
  await refuses(t, owner, moderation.path, [['a public channel for reports', { is_private: false }, {}]])
})

t.test('what needs more than to know of the channel', async t => {
  const secret = await channel(owner, { invite_only: true }, [owner])
  await refuses(t, admin, secret.path, [
    ['privacy', { is_private: false }, {}],
    ['history', { history_public_to_subscribers: true }, {}],
    ['who may subscribe', { can_subscribe_group: { new: await group('members') } }, {}],
    ['who may subscribe others', { can_add_subscribers_group: { new: await group('members') } }, {}],
  ])
  const new_name = freshName()
  t.equal(
    (await admin.patch(secret.path, { new_name, can_send_message_group: { new: await group('members') } })).status,
    200,
  )
  await ctx.directory.fresh()
})

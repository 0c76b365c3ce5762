import t from 'tap'
import { startServer } from '../../support/server.js'
import { callSlack, errorOf, slackClient } from './slack.js'

const server = await startServer(t)
const ann = await server.person({ full_name: 'Ann Lee', role: 100 })
const bob = await server.person({ full_name: 'Bob Kahn' })
const guest = await server.person({ full_name: 'Gus', role: 600 })
const bot = await server.person({ full_name: 'Robo', bot_type: 1, bot_owner_id: ann.id })
const slack = slackClient(server, bot)
const owner = slackClient(server, ann)
const stranger = slackClient(server, guest)

const streamOf = async (channel: string) => (await ann.ok('GET', `/streams/${channel.slice(1)}`)).stream

t.test('a program makes a channel and changes it', async t => {
  const { channel } = await slack.conversations.create({ name: 'incident 7' })
  const id = channel?.id as string
  t.match(channel, { name: 'incident 7', is_member: true, creator: `U${bot.id}`, is_private: false })
  t.match(await slack.conversations.rename({ channel: id, name: 'incident 8' }), { channel: { name: 'incident 8' } })
  t.match(await slack.conversations.setPurpose({ channel: id, purpose: 'All about it' }), { ok: true })
  t.match(await streamOf(id), { name: 'incident 8', description: 'All about it', is_archived: false })
  t.match(await slack.conversations.invite({ channel: id, users: `U${bob.id},U${ann.id}` }), {
    channel: { num_members: 3 },
  })
  t.match(await bob.ok('GET', '/users/me/subscriptions'), { subscriptions: [{ name: 'incident 8' }] })
  t.match(await slack.conversations.kick({ channel: id, user: `U${bob.id}` }), { ok: true })
  t.same((await slack.conversations.members({ channel: id })).members, [`U${ann.id}`, `U${bot.id}`])
  t.match(await owner.conversations.archive({ channel: id }), { ok: true })
  t.equal((await streamOf(id)).is_archived, true)
  t.match(await owner.conversations.unarchive({ channel: id }), { channel: { is_archived: false } })
  t.match(await slack.conversations.create({ name: 'quiet', is_private: true }), { channel: { is_private: true } })
})

t.test('who may not is refused, and nothing changes', async t => {
  const { channel } = await owner.conversations.create({ name: 'of ann' })
  const id = channel?.id as string
  for (const [call, error] of [
    [() => stranger.conversations.create({ name: 'of gus' }), 'restricted_action'],
    [() => slack.conversations.create({ name: 'of ann' }), 'name_taken'],
    [() => slack.conversations.rename({ channel: id, name: 'mine' }), 'restricted_action'],
    [() => slack.conversations.setPurpose({ channel: id, purpose: 'mine' }), 'restricted_action'],
    [() => slack.conversations.archive({ channel: id }), 'restricted_action'],
    [() => slack.conversations.archive({ channel: `D${bob.id}` }), 'method_not_supported_for_channel_type'],
    [() => slack.conversations.archive({ channel: '#nowhere' }), 'channel_not_found'],
    [() => slack.conversations.kick({ channel: id, user: `U${ann.id}` }), 'restricted_action'],
    [() => slack.conversations.kick({ channel: id, user: `U${bot.id}` }), 'cant_kick_self'],
    [() => owner.conversations.kick({ channel: id, user: `U${bob.id}` }), 'not_in_channel'],
    [() => owner.conversations.invite({ channel: id, users: `U${ann.id}` }), 'already_in_channel'],
    [() => owner.conversations.invite({ channel: id, users: 'x' }), 'user_not_found'],
    [() => owner.conversations.invite({ channel: id, users: Array(101).fill('U1').join() }), 'too_many_users'],
  ] as const) {
    t.equal(await errorOf(call()), error)
  }
  t.match(await streamOf(id), { name: 'of ann', description: '', is_archived: false, subscriber_count: 1 })
  for (const [name, args] of [
    ['create', {}],
    ['create', { name: 'x', is_private: 'perhaps' }],
    ['rename', { channel: id }],
    ['invite', { channel: id }],
    ['setPurpose', { channel: id, purpose: [] }],
  ] as const) {
    const { body } = await callSlack(server, `conversations.${name}`, { args, token: bot.api_key })
    t.match(body, { ok: false, error: 'invalid_arguments' })
  }
})

import t from 'tap'
import {
  knowsChannel,
  mayAddSubscribers,
  mayAdminister,
  mayCreateTopic,
  mayPost,
  mayReadChannel,
  maySubscribe,
  mayUnsubscribe,
} from '../../server/policies/channel-permissions.js'
import type { ChannelRow } from '../../server/store/channels/channels.js'
import { Organization } from './organization.js'

const [owner, admin, member, guest, holder] = [1, 2, 3, 4, 5]

function scene(settings: Record<string, unknown> = {}) {
  const organization = new Organization(settings)
  organization.user({ id: owner, role: 100 })
  organization.user({ id: admin, role: 200 })
  organization.user({ id: member })
  organization.user({ id: guest, role: 600 })
  organization.user({ id: holder })
  organization.group({ id: 20, name: null, members: [guest, holder] })
  const { directory } = organization
  const user = (id: number) => directory.users.get(id) ?? null
  type Rule = (d: typeof directory, u: never, c: ChannelRow, subscribed: boolean) => unknown
  /** Ids of the users, of all five, for whom the rule returns true. */
  const who = (rule: Rule, channel: ChannelRow, subscribed = false) =>
    [owner, admin, member, guest, holder].filter(id => rule(directory, user(id) as never, channel, subscribed) === true)
  return { organization, directory, user, who }
}

t.test('a public channel is known and open to all but guests, to those when they are subscribed', async t => {
  const { organization, who } = scene()
  const channel = organization.channel()
  for (const rule of [knowsChannel, mayReadChannel]) {
    t.same(who(rule, channel), [owner, admin, member, holder])
    t.same(who(rule, channel, true), [owner, admin, member, guest, holder])
  }
  t.same(who(maySubscribe, channel, true), [owner, admin, member, holder], 'no guest subscribes itself')
})

t.test('a private channel is known to administrators and holders, open to subscribers and some holders', async t => {
  const { organization, who } = scene()
  const closed = organization.channel({ invite_only: true })
  t.same(who(knowsChannel, closed), [owner, admin])
  t.same(who(mayReadChannel, closed), [], 'not even to the owner')
  t.same(who(mayReadChannel, closed, true), [owner, admin, member, guest, holder])
  for (const name of ['can_subscribe_group', 'can_add_subscribers_group']) {
    const channel = organization.channel({ invite_only: true, settings: { [name]: 20 } })
    t.same(who(mayReadChannel, channel), [holder], `${name}, never for a guest`)
    t.same(who(knowsChannel, channel), [owner, admin, holder])
    t.same(who(maySubscribe, channel), [holder])
  }
  const administered = organization.channel({ invite_only: true, settings: { can_administer_channel_group: 20 } })
  t.same(who(knowsChannel, administered), [owner, admin, holder])
  t.same(who(mayReadChannel, administered), [])
})

t.test('a web-public channel is open to all accounts, to spectators where the organization is open', async t => {
  const { organization, directory, who } = scene()
  const channel = organization.channel({ is_web_public: true })
  t.same(who(mayReadChannel, channel), [owner, admin, member, guest, holder])
  t.notOk(mayReadChannel(directory, null, channel, false))
  directory.organization.settings.enable_spectator_access = true
  t.ok(mayReadChannel(directory, null, channel, false))
  t.notOk(mayReadChannel(directory, null, { ...channel, is_archived: true }, false))
  t.notOk(knowsChannel(directory, null, organization.channel(), false))
})

t.test('a deactivated user sees nothing', async t => {
  const { organization, directory } = scene()
  const gone = organization.user({ id: 9, is_active: false, role: 100 })
  t.notOk(mayReadChannel(directory, gone, organization.channel(), true))
  t.notOk(knowsChannel(directory, gone, organization.channel(), true))
})

t.test('who may post: holders who reach the channel; guests only where they are subscribed', async t => {
  const { organization, directory, user, who } = scene()
  const posts: typeof mayAddSubscribers = (d, u, c, subscribed) => mayPost(d, u, c, { subscribed }) === null
  const open = organization.channel()
  t.same(who(posts, open), [owner, admin, member, holder])
  t.same(who(posts, open, true), [owner, admin, member, guest, holder])
  t.same(who(posts, organization.channel({ is_web_public: true })), [owner, admin, member, holder])
  t.same(who(posts, organization.channel({ invite_only: true })), [])
  t.same(who(posts, organization.channel({ settings: { can_send_message_group: 20 } }), true), [guest, holder])
  t.same(who(posts, organization.channel({ is_archived: true }), true), [])
  t.type(
    mayPost(directory, user(member) as never, organization.channel({ is_archived: true }), { subscribed: true }),
    'string',
  )
})

t.test("a bot posts and begins topics where its owner may; the server's own bots everywhere", async t => {
  const { organization, directory } = scene()
  const bot = organization.user({ id: 10, is_bot: true, bot_type: 1, bot_owner_id: holder })
  const stray = organization.user({ id: 11, is_bot: true, bot_type: 1, bot_owner_id: member })
  const system = organization.user({ id: 12, is_bot: true, bot_type: 1, is_system_bot: true })
  const channel = organization.channel({ settings: { can_send_message_group: 20, can_create_topic_group: 20 } })
  t.equal(mayPost(directory, bot, channel, { subscribed: false }), null)
  t.type(mayPost(directory, stray, channel, { subscribed: true }), 'string')
  t.ok(mayCreateTopic(directory, bot, channel))
  t.notOk(mayCreateTopic(directory, stray, channel))
  const closed = organization.channel({ invite_only: true })
  t.type(mayPost(directory, bot, closed, { subscribed: false }), 'string')
  t.equal(
    mayPost(directory, bot, closed, { subscribed: false, ownerSubscribed: true }),
    null,
    'its owner is subscribed',
  )
  t.equal(mayPost(directory, system, closed, { subscribed: false }), null)
})

t.test('who may subscribe others: the organization says, or the channel, or who administers it', async t => {
  const { organization, directory, who } = scene()
  t.same(who(mayAddSubscribers, organization.channel()), [owner, admin, member, holder])
  directory.organization.settings.can_add_subscribers_group = organization.system('nobody')
  t.same(who(mayAddSubscribers, organization.channel()), [owner, admin])
  t.same(who(mayAddSubscribers, organization.channel({ settings: { can_add_subscribers_group: 20 } })), [
    owner,
    admin,
    holder,
  ])
  const closed = organization.channel({ invite_only: true, settings: { can_add_subscribers_group: 20 } })
  t.same(who(mayAddSubscribers, closed), [holder], 'administrators only from inside')
  t.same(who(mayAddSubscribers, closed, true), [owner, admin, holder])
})

t.test('who may change a channel and unsubscribe others', async t => {
  const { organization, directory, who } = scene()
  const bot = organization.user({ id: 6, is_bot: true, bot_type: 1, bot_owner_id: member })
  const ofUsers =
    (...ids: number[]): Parameters<typeof who>[0] =>
    (_, caller, channel, subscribed) =>
      mayUnsubscribe(directory, caller, channel, {
        users: ids.flatMap(id => directory.users.get(id) ?? []),
        subscribed,
      })
  const others = ofUsers(guest, bot.id)
  t.same(who(mayAdminister, organization.channel()), [owner, admin])
  t.same(who(mayAdminister, organization.channel({ settings: { can_administer_channel_group: 20 } })), [
    owner,
    admin,
    holder,
  ])
  t.same(who(others, organization.channel()), [owner, admin])
  const channel = organization.channel({ settings: { can_remove_subscribers_group: 20 } })
  t.same(who(others, channel), [owner, admin, holder])
  t.same(who(others, { ...channel, invite_only: true }), [owner, admin], 'holders must know it')
  t.same(who(ofUsers(member, bot.id), organization.channel()), [owner, admin, member], 'oneself and own bots always')
})

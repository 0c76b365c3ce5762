import t from 'tap'
import type { ChatState } from '../../../server/web/state/chat-state.js'
import {
  type Holder,
  holderChoices,
  holdersOf,
  holdersTitle,
  suggestedHolders,
  valueFor,
} from '../../../server/web/state/holders.js'
import {
  groupsOf,
  holds,
  mayAddMembers,
  mayAdminister,
  mayCreateChannels,
  mayCreatePrivateChannels,
  mayCreatePublicChannels,
  mayRemoveMembers,
  mayResolveTopics,
} from '../../../server/web/state/permissions.js'
import type { UserGroup } from '../../../shared/events/client-state.js'
import { channelPermissions, groupPermissions } from '../../../shared/resources/permission-settings.js'
import { play, someState } from './state.js'

const nobody = 90
const everyone = 91

function organization({ role = 400 } = {}): ChatState {
  const state = someState()
  Object.assign(state.realm_users[1] as object, { role })
  const add = (id: number, name: string, members: number[], subgroups: number[] = []) => {
    state.realm_user_groups[id] = {
      id,
      name,
      members,
      direct_subgroup_ids: subgroups,
      is_system_group: name.startsWith('role:'),
      deactivated: false,
    } as unknown as UserGroup
  }
  add(nobody, 'role:nobody', [])
  add(everyone, 'role:everyone', [1, 2, 3])
  add(10, 'writers', [2], [11])
  add(11, 'poets', [1], [10])
  const settings = Object.fromEntries(Object.keys(channelPermissions).map(name => [name, nobody]))
  for (const id of [5, 6]) Object.assign(state.subscriptions[id] as object, settings)
  state.realm_can_add_subscribers_group = nobody
  state.realm_can_resolve_topics_group = nobody
  return state
}

t.test('a group contains the members of its subgroups, also in a circle', async t => {
  const state = organization()
  t.ok(holds(state, 10))
  t.ok(holds(state, { direct_members: [], direct_subgroups: [10] }))
  t.ok(holds(state, { direct_members: [1], direct_subgroups: [] }))
  t.notOk(holds(state, { direct_members: [2], direct_subgroups: [nobody] }))
  t.notOk(holds(state, 12345), 'a group that does not exist')
  t.same(
    groupsOf(state, 1).map(group => group.name),
    ['poets', 'writers'],
  )
  play(state, { type: 'user_group', op: 'remove_members', group_id: 11, user_ids: [1] })
  t.same(groupsOf(state, 1), [])
})

t.test('administrators may change a channel, all others only as its setting says', async t => {
  t.ok(mayAdminister(organization({ role: 200 }), 5))
  t.notOk(mayAdminister(organization({ role: 300 }), 5))
  const state = organization()
  Object.assign(state.subscriptions[5] as object, { can_administer_channel_group: 10 })
  t.ok(mayAdminister(state, 5))
  t.ok(mayAddMembers(state, 5))
  t.ok(mayRemoveMembers(state, 5))
  t.notOk(mayAdminister(state, 6))
  t.notOk(mayAdminister(state, 999), 'an unknown channel')
  Object.assign(state.realm_users[1] as object, { role: 600 })
  t.notOk(mayAdminister(state, 5), 'a guest')
})

t.test('members are added and removed, and topics resolved, by the holders of these permissions', async t => {
  const state = organization()
  t.notOk(mayAddMembers(state, 5))
  t.notOk(mayRemoveMembers(state, 5))
  t.notOk(mayResolveTopics(state, 5))
  state.realm_can_add_subscribers_group = everyone
  t.ok(mayAddMembers(state, 5))
  Object.assign(state.subscriptions[5] as object, {
    can_remove_subscribers_group: everyone,
    can_resolve_topics_group: everyone,
  })
  t.ok(mayRemoveMembers(state, 5))
  t.ok(mayResolveTopics(state, 5))
  Object.assign(state.subscriptions[5] as object, { is_archived: true })
  t.notOk(mayAddMembers(state, 5), 'an archived channel')
  t.notOk(mayResolveTopics(state, 5), 'an archived channel')
})

t.test('a private channel that the user does not read takes no members from the user', async t => {
  const state = organization()
  state.realm_can_add_subscribers_group = everyone
  const channel = { ...state.subscriptions[6], invite_only: true } as never
  delete state.subscriptions[6]
  state.never_subscribed[6] = channel
  t.notOk(mayAddMembers(state, 6))
  Object.assign(channel, { can_subscribe_group: everyone })
  t.ok(mayAddMembers(state, 6))
})

t.test('the holders of a permission have names', async t => {
  const state = organization()
  t.equal(holdersTitle(state, everyone), 'All, guests included')
  t.equal(holdersTitle(state, nobody), 'No one')
  t.equal(holdersTitle(state, { direct_members: [2, 77], direct_subgroups: [10] }), 'writers, Person 2, Unknown user')
  t.equal(holdersTitle(state, { direct_members: [], direct_subgroups: [] }), 'No one')
  t.equal(holdersTitle(state, 12345), 'a group that no longer exists')
})

t.test('only allowed groups are offered', async t => {
  const state = organization()
  const names = (name: keyof typeof channelPermissions) =>
    holderChoices(state, channelPermissions[name]).map(group => group.name)
  t.same(names('can_send_message_group'), ['role:everyone', 'role:nobody', 'poets', 'writers'])
  t.same(names('can_administer_channel_group'), ['role:nobody', 'poets', 'writers'])
  Object.assign(state.realm_user_groups[10] as object, { deactivated: true })
  t.same(names('can_subscribe_group'), ['role:nobody', 'poets'])
})

const group = (id: number): Holder => ({ kind: 'group', id })
const person = (id: number): Holder => ({ kind: 'person', id })

t.test('holders become a value in the form of the server', async t => {
  const state = organization()
  for (const value of [
    everyone,
    nobody,
    { direct_members: [2, 3], direct_subgroups: [] },
    { direct_members: [2], direct_subgroups: [10, everyone] },
  ])
    t.same(valueFor(state, holdersOf(state, value)), value)
  t.same(holdersOf(state, nobody), [])
  t.same(holdersOf(state, { direct_members: [2], direct_subgroups: [10] }), [group(10), person(2)])
  t.equal(valueFor(state, [group(10)]), 10, 'a set of one group is that group')
  t.equal(valueFor(state, holdersOf(state, { direct_members: [], direct_subgroups: [] })), nobody)
})

t.test('groups and people that are not chosen yet are suggested', async t => {
  const state = organization()
  Object.assign(state.cross_realm_bots, { 8: { user_id: 8, full_name: 'Person of the system', is_system_bot: true } })
  const suggested = (chosen: readonly Holder[], words = '') =>
    suggestedHolders(state, channelPermissions.can_send_message_group, chosen, words)
  t.same(suggested([]), [group(everyone), group(11), group(10), person(1), person(2), person(3)])
  t.same(suggested([group(10), person(1), group(3)]), [group(everyone), group(11), person(2), person(3)])
  t.same(suggested([], 'p'), [group(11), person(1), person(2), person(3)])
  t.same(suggested([], 'guests'), [group(everyone)], 'by a word of its title')
  t.same(suggested([], 'nothing of this name'), [])
})

t.test(
  'the owners are offered for each permission of a group but that to mention it, which the server refuses',
  async t => {
    const state = organization()
    Object.assign(state.realm_user_groups[10] as object, { name: 'role:owners', is_system_group: true })
    const offering = Object.entries(groupPermissions).filter(([, rule]) =>
      holderChoices(state, rule).some(({ name }) => name === 'role:owners'),
    )
    t.same(
      offering.map(([name]) => name),
      Object.keys(groupPermissions).filter(name => name !== 'can_mention_group'),
    )
    t.same(suggestedHolders(state, groupPermissions.can_mention_group, [], 'owners'), [])
    t.same(suggestedHolders(state, groupPermissions.can_join_group, [], 'owners'), [group(10)])
  },
)

t.test('who may create channels follows the permissions and groups of the organization', async t => {
  const state = organization()
  const rights = () => [mayCreatePublicChannels(state), mayCreatePrivateChannels(state), mayCreateChannels(state)]
  const setTo = (name: 'public' | 'private', group: number) =>
    play(state, {
      type: 'realm',
      op: 'update_dict',
      property: 'default',
      data: { [`can_create_${name}_channel_group`]: group },
    })
  state.realm_can_create_public_channel_group = everyone
  state.realm_can_create_private_channel_group = nobody
  t.same(rights(), [true, false, true])
  setTo('public', nobody)
  t.same(rights(), [false, false, false])
  setTo('private', 11)
  t.same(rights(), [false, true, true])
})

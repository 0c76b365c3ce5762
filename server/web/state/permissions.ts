import { unwrap } from 'solid-js/store'
import type { Channel, UserGroup } from '../../../shared/events/client-state.js'
import type { GroupSettingValue } from '../../../shared/resources/group-setting-value.js'
import type { ChannelPermission } from '../../../shared/resources/permission-settings.js'
import { channelOf } from './channels.js'
import type { ChatState } from './chat-state.js'
import { personOf } from './people.js'

// The server decides; these functions only tell which controls the page offers (docs/protocol/permissions.md).

const administratorRole = 200
const guestRole = 600

const ownRole = (state: ChatState): number => personOf(state, state.user_id)?.role ?? guestRole

export const isAdministrator = (state: ChatState): boolean => ownRole(state) <= administratorRole

export const isGuest = (state: ChatState): boolean => ownRole(state) >= guestRole

/** A group and its subgroups at any depth, each once. */
export function* withSubgroups(state: ChatState, groupId: number): Generator<UserGroup> {
  const seen = new Set<number>()
  const waiting = [groupId]
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const group = state.realm_user_groups[id]
    if (!group || seen.has(id)) continue
    seen.add(id)
    yield group
    waiting.push(...group.direct_subgroup_ids)
  }
}

/** Whether a user belongs to a group, directly or through its subgroups. */
export function isInGroup(state: ChatState, userId: number, groupId: number): boolean {
  // Unwrapped, because watching each of ten thousand members would cost more than the search; a change replaces the list.
  for (const group of withSubgroups(state, groupId)) if (unwrap(group.members).includes(userId)) return true
  return false
}

/** Whether the user of the page holds a permission with this value. */
export function holds(state: ChatState, value: GroupSettingValue): boolean {
  if (typeof value === 'number') return isInGroup(state, state.user_id, value)
  return (
    value.direct_members.includes(state.user_id) ||
    value.direct_subgroups.some(id => isInGroup(state, state.user_id, id))
  )
}

const holdsOf = (state: ChatState, channel: Channel, name: ChannelPermission): boolean => holds(state, channel[name])

/** Named groups of a user, those of the system left out, by name. */
export function groupsOf(state: ChatState, userId: number): UserGroup[] {
  return Object.values(state.realm_user_groups)
    .filter(group => !group.is_system_group && isInGroup(state, userId, group.id))
    .sort((a, b) => a.name.localeCompare(b.name))
}

export const mayCreatePublicChannels = (state: ChatState): boolean =>
  holds(state, state.realm_can_create_public_channel_group)

export const mayCreatePrivateChannels = (state: ChatState): boolean =>
  holds(state, state.realm_can_create_private_channel_group)

export const mayCreateChannels = (state: ChatState): boolean =>
  mayCreatePublicChannels(state) || mayCreatePrivateChannels(state)

export function mayAdminister(state: ChatState, channelId: number): boolean {
  const channel = channelOf(state, channelId)
  if (!channel || isGuest(state)) return false
  return isAdministrator(state) || holdsOf(state, channel, 'can_administer_channel_group')
}

/** Whether the user of the page reads the channel's messages. */
export function mayRead(state: ChatState, channel: Channel): boolean {
  if (state.subscriptions[channel.stream_id] || channel.is_web_public) return true
  if (isGuest(state)) return false
  const readers = ['can_subscribe_group', 'can_add_subscribers_group'] as const
  return !channel.invite_only || readers.some(name => holdsOf(state, channel, name))
}

export function mayAddMembers(state: ChatState, channelId: number): boolean {
  const channel = channelOf(state, channelId)
  if (!channel || channel.is_archived || isGuest(state) || !mayRead(state, channel)) return false
  return (
    holds(state, state.realm_can_add_subscribers_group) ||
    holdsOf(state, channel, 'can_add_subscribers_group') ||
    mayAdminister(state, channelId)
  )
}

export function mayRemoveMembers(state: ChatState, channelId: number): boolean {
  const channel = channelOf(state, channelId)
  if (!channel) return false
  return mayAdminister(state, channelId) || holdsOf(state, channel, 'can_remove_subscribers_group')
}

export function mayResolveTopics(state: ChatState, channelId: number): boolean {
  const channel = channelOf(state, channelId)
  if (!channel || channel.is_archived || !mayRead(state, channel)) return false
  return holds(state, state.realm_can_resolve_topics_group) || holdsOf(state, channel, 'can_resolve_topics_group')
}

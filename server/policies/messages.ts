import { ApiError, badRequest } from '../../shared/errors.js'
import type { Directory } from '../memory/directory.js'
import type { ChannelRow } from '../store/channels/channels.js'
import type { UserRow } from '../store/users/users.js'
import { groupGroup, isInGroup, realmGroup } from './groups.js'
import { realmSetting } from './settings.js'

// Wildcard mentions of at most this many users need no permission: they disturb no more than mentions by name.
const wildcardMentionThreshold = 15

/** Whether the user may use a wildcard mention that notifies `people` users (docs/protocol/permissions.md#mentioning). */
export function mayMentionMany(directory: Directory, user: UserRow, people: number): boolean {
  if (user.is_system_bot || people <= wildcardMentionThreshold) return true
  return isInGroup(directory, user.id, realmGroup(directory, 'can_mention_many_users_group'))
}

/** @throws {ApiError} BAD_REQUEST for a group that the user may not mention. */
export function requireMayMentionGroups(directory: Directory, user: UserRow, groupIds: readonly number[]): void {
  if (user.is_system_bot) return
  for (const id of groupIds) {
    const group = directory.groups.get(id)
    if (group && !isInGroup(directory, user.id, groupGroup(directory, group, 'can_mention_group'))) {
      throw badRequest(`You are not allowed to mention user group '${group.name}'.`)
    }
  }
}

/** What the organization says where the channel says nothing. */
const topicsPolicyOf = (directory: Directory, { topics_policy }: ChannelRow) =>
  topics_policy === 'inherit' ? realmSetting(directory, 'topics_policy') : topics_policy

export const allowsEmptyTopic = (directory: Directory, channel: ChannelRow): boolean =>
  topicsPolicyOf(directory, channel) !== 'disable_empty_topic'

/**
 * Throws for a topic that the channel's topics_policy does not allow (send_message, update_message).
 * @throws {ApiError} BAD_REQUEST with `empty_topic_display_name`.
 */
export function requireAllowedTopic(directory: Directory, channel: ChannelRow, topic: string): void {
  const policy = topicsPolicyOf(directory, channel)
  const empty_topic_display_name = realmSetting(directory, 'empty_topic_display_name')
  if (topic === '' && policy === 'disable_empty_topic') {
    throw badRequest('Sending messages to the empty topic is not allowed in this channel.', {
      empty_topic_display_name,
    })
  }
  if (topic !== '' && policy === 'empty_topic_only') {
    throw badRequest('Only the empty topic is allowed in this channel.', { empty_topic_display_name })
  }
}

/**
 * A direct message needs a participant who holds direct_message_permission_group. Messages to oneself and to bots are always allowed.
 * @throws {ApiError} BAD_REQUEST
 */
export function requireMayMessage(directory: Directory, sender: UserRow, participants: readonly UserRow[]): void {
  if (isAlwaysAllowed(sender, participants)) return
  const permitted = realmGroup(directory, 'direct_message_permission_group')
  if (!participants.some(user => isInGroup(directory, user.id, permitted))) {
    throw badRequest('Direct messages are disabled in this organization.')
  }
}

/** Whether the sender may send the first message of a conversation; requireMayMessage is checked separately. */
export function mayInitiate(directory: Directory, sender: UserRow, participants: readonly UserRow[]): boolean {
  if (isAlwaysAllowed(sender, participants)) return true
  return isInGroup(directory, sender.id, realmGroup(directory, 'direct_message_initiator_group'))
}

const isAlwaysAllowed = (sender: UserRow, participants: readonly UserRow[]): boolean =>
  sender.is_system_bot || participants.every(user => user.is_bot || user.id === sender.id)

export const wildcardRefusal = {
  channel: () =>
    new ApiError(
      'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
      'You do not have permission to use channel wildcard mentions in this channel.',
    ),
  topic: () =>
    new ApiError(
      'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
      'You do not have permission to use topic wildcard mentions in this topic.',
    ),
}

import { badRequest } from '../../shared/errors.js'
import { limits } from '../../shared/limits.js'
import {
  type DeleteObstacle,
  deleteObstacle,
  type EditObstacle,
  editObstacle,
} from '../../shared/resources/message-rights.js'
import type { ChannelPermission, RealmPermission } from '../../shared/resources/permission-settings.js'
import type { Directory } from '../memory/directory.js'
import type { ChannelRow } from '../store/channels/channels.js'
import type { MessageRow } from '../store/messages/messages.js'
import type { UserRow } from '../store/users/users.js'
import { channelGroup, isInGroup, realmGroup } from './groups.js'
import { moderator } from './roles.js'
import { realmSetting } from './settings.js'

type Message = Pick<MessageRow, 'sender_id' | 'channel_id' | 'date_sent'>

const age = (message: Pick<MessageRow, 'date_sent'>, now: number): number => (now - message.date_sent.getTime()) / 1000

/** @throws {ApiError} for a message in an archived channel, the same error as for a missing message. */
export function requireUnarchived(directory: Directory, message: Pick<Message, 'channel_id'>): void {
  const channel = message.channel_id === null ? undefined : directory.channels.get(message.channel_id)
  if (channel?.is_archived) throw badRequest('Invalid message(s)')
}

/**
 * Permits users to edit their own messages within the time limit. `grace`: seconds beyond the limit for slow clients. @throws {ApiError}
 */
export function requireMayEditContent(
  directory: Directory,
  user: UserRow,
  message: Message,
  { now, grace = limits.message_edit_grace_secs }: { readonly now: number; readonly grace?: number },
): void {
  requireUnarchived(directory, message)
  const obstacle = editObstacle({
    isOwn: message.sender_id === user.id,
    isAllowed: realmSetting(directory, 'allow_message_editing'),
    age: age(message, now) - grace,
    limit: realmSetting(directory, 'message_content_edit_limit_seconds'),
  })
  if (obstacle) throw badRequest(editRefusals[obstacle])
}

const editRefusals = {
  notOwn: "You don't have permission to edit this message",
  off: 'Your organization has turned off message editing',
  late: 'The time limit for editing this message has passed',
} as const satisfies Record<EditObstacle, string>

/** Whether the user holds the organization's permission or the channel's. */
function holdsEither(
  directory: Directory,
  user: UserRow,
  channel: ChannelRow | undefined,
  { realm, ofChannel }: { readonly realm: RealmPermission; readonly ofChannel: ChannelPermission },
): boolean {
  return (
    isInGroup(directory, user.id, realmGroup(directory, realm)) ||
    (channel !== undefined && isInGroup(directory, user.id, channelGroup(directory, channel, ofChannel)))
  )
}

export const mayResolveTopics = (directory: Directory, user: UserRow, channel: ChannelRow): boolean =>
  holdsEither(directory, user, channel, { realm: 'can_resolve_topics_group', ofChannel: 'can_resolve_topics_group' })

export const mayMoveWithin = (directory: Directory, user: UserRow, channel: ChannelRow): boolean =>
  holdsEither(directory, user, channel, {
    realm: 'can_move_messages_between_topics_group',
    ofChannel: 'can_move_messages_within_channel_group',
  })

export const mayMoveOut = (directory: Directory, user: UserRow, channel: ChannelRow): boolean =>
  holdsEither(directory, user, channel, {
    realm: 'can_move_messages_between_channels_group',
    ofChannel: 'can_move_messages_out_of_channel_group',
  })

/** Seconds after which the user may no longer move a message; null: no limit. Moderators and higher roles have no limit. */
export function moveLimit(directory: Directory, user: UserRow, toOtherChannel: boolean): number | null {
  if (user.role <= moderator) return null
  const name = toOtherChannel
    ? 'move_messages_between_streams_limit_seconds'
    : 'move_messages_within_stream_limit_seconds'
  return realmSetting(directory, name)
}

/** `limit`: seconds. @throws {ApiError} when the message is too old to be moved. */
export function requireYoungEnough(message: Message, limit: number | null, now: number): void {
  if (limit !== null && age(message, now) > limit + limits.message_edit_grace_secs) {
    throw badRequest('The time limit for moving this message has passed')
  }
}

/** Permits deletion of all messages, or within a time limit of the user's own and of those of the user's bots. @throws {ApiError} */
export function requireMayDelete(directory: Directory, user: UserRow, message: Message, now: number): void {
  requireUnarchived(directory, message)
  const channel = message.channel_id === null ? undefined : directory.channels.get(message.channel_id)
  const holdsOne = (name: 'can_delete_any_message_group' | 'can_delete_own_message_group') =>
    holdsEither(directory, user, channel, { realm: name, ofChannel: name })
  const sender = directory.users.get(message.sender_id)
  const isOwn = sender?.id === user.id || (sender?.is_bot && sender.bot_owner_id === user.id)
  const obstacle = deleteObstacle({
    mayDeleteAny: holdsOne('can_delete_any_message_group'),
    mayDeleteOwn: isOwn === true && holdsOne('can_delete_own_message_group'),
    age: age(message, now),
    limit: realmSetting(directory, 'message_content_delete_limit_seconds'),
  })
  if (obstacle) throw badRequest(deleteRefusals[obstacle])
}

const deleteRefusals = {
  permission: "You don't have permission to delete this message",
  late: 'The time limit for deleting this message has passed',
} as const satisfies Record<DeleteObstacle, string>

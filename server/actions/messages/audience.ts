import type { Directory } from '../../memory/directory.js'
import { mayReadChannel } from '../../policies/channel-permissions.js'
import type { ChannelRow } from '../../store/channels/channels.js'
import type { ISql } from '../../store/driver/db.js'
import {
  participantsOfConversation,
  type Receiver,
  receivedBy,
  receiversOf,
} from '../../store/messages/message-audience.js'

/** Users who may see the same subset of some messages. Both lists ascend. */
export interface AccessGroup {
  readonly userIds: readonly number[]
  readonly messageIds: readonly number[]
}

/** The place of messages: one channel or one conversation. */
type Whereabouts =
  | { readonly channel_id: number; readonly conversation_id: null }
  | { readonly channel_id: null; readonly conversation_id: number }

/**
 * The audience of changes to messages: present subscribers, and former ones who received the messages, as far as they may still read them.
 * With protected history each user sees only messages that the user received. Exact when the transaction holds the channel's row.
 */
export async function messageAccess(
  sql: ISql,
  directory: Directory,
  where: Pick<Whereabouts, 'channel_id' | 'conversation_id'>,
  messageIds: readonly number[],
): Promise<AccessGroup[]> {
  const isActive = (id: number) => directory.users.get(id)?.is_active === true
  if (where.channel_id === null) {
    const participants = await participantsOfConversation(sql, where.conversation_id ?? 0)
    return [{ userIds: participants.filter(isActive), messageIds }]
  }
  const channel = directory.channels.get(where.channel_id)
  if (!channel) return []
  if (channel.history_public_to_subscribers) {
    const { active, former } = await receiversOf(sql, channel.id, messageIds)
    const still = former.filter(id => isActive(id) && mayStillRead(directory, channel, id, false))
    const userIds = active.filter(isActive)
    return [{ userIds: still.length === 0 ? userIds : [...userIds, ...still].sort((a, b) => a - b), messageIds }]
  }
  const reads = (receiver: Receiver) =>
    isActive(receiver.user_id) && mayStillRead(directory, channel, receiver.user_id, receiver.is_active)
  const groups = new Map<string, { userIds: number[]; messageIds: number[] }>()
  for (const receiver of (await receivedBy(sql, channel.id, messageIds)).filter(reads)) {
    const key = receiver.ids.join()
    const group = groups.get(key)
    if (group) group.userIds.push(receiver.user_id)
    else groups.set(key, { userIds: [receiver.user_id], messageIds: receiver.ids })
  }
  return [...groups.values()]
}

function mayStillRead(directory: Directory, channel: ChannelRow, userId: number, isSubscribed: boolean): boolean {
  const user = directory.users.get(userId)
  return user !== undefined && mayReadChannel(directory, user, channel, isSubscribed)
}

/** Ids of all users in the groups, ascending. */
export const usersOf = (groups: readonly AccessGroup[]): number[] =>
  [...new Set(groups.flatMap(group => group.userIds))].sort((a, b) => a - b)

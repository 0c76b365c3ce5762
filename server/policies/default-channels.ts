import type { Directory } from '../memory/directory.js'
import type { ChannelRow } from '../store/channels/channels.js'
import type { UserRow } from '../store/users/users.js'
import { isGuest } from './roles.js'

/** Ids of the channels to which new members are subscribed, ascending. */
export function defaultChannels(directory: Directory): number[] {
  const channels = [...directory.channels.values()].filter(channel => channel.is_default && !channel.is_archived)
  return channels.map(channel => channel.id).sort((a, b) => a - b)
}

/** Channels that new members may be offered or subscribed to: public ones that are not archived. */
export const mayBeOffered = ({ invite_only, is_archived }: Pick<ChannelRow, 'invite_only' | 'is_archived'>): boolean =>
  !invite_only && !is_archived

/** For guests the list of default channels is empty. */
export const receivesDefaultChannels = (user: Pick<UserRow, 'role'>): boolean => !isGuest(user)

/** Ids of the users who receive the list of default channels (all but guests), ascending. */
export function audienceOfDefaultChannels(directory: Directory): number[] {
  const users = [...directory.users.values()].filter(
    user => user.is_active && !user.is_system_bot && receivesDefaultChannels(user),
  )
  return users.map(user => user.id).sort((a, b) => a - b)
}

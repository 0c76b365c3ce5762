import type { GroupSettingValue } from '../../shared/resources/group-setting-value.js'
import { postObstacle } from '../../shared/resources/message-rights.js'
import type { ChannelPermission } from '../../shared/resources/permission-settings.js'
import type { Directory } from '../memory/directory.js'
import type { UserRow } from '../store/users/users.js'
import { ownsBot } from './accounts.js'
import { channelGroup, isInGroup, realmGroup } from './groups.js'
import { isAdministrator, isGuest } from './roles.js'
import { isOpenToWeb } from './spectators.js'

/** The fields of a channel that decide permissions. A channel that is being created has sets as settings instead of group ids. */
export interface ChannelTraits {
  readonly name: string
  readonly invite_only: boolean
  readonly is_web_public: boolean
  readonly is_archived: boolean
  readonly settings: Readonly<Record<string, GroupSettingValue>>
}

/** The permissions whose holders may read a private channel. */
const readingPermissions = ['can_subscribe_group', 'can_add_subscribers_group'] as const
/** The permissions whose holders may know a private channel. */
export const knowingPermissions = [...readingPermissions, 'can_administer_channel_group'] as const

// I2: the functions below decide who may know and who may read a channel, for answers and for audiences of events.

/** Whether the user may know the channel (its metadata and subscribers). Null: a spectator. */
export function knowsChannel(
  directory: Directory,
  user: UserRow | null,
  channel: ChannelTraits,
  subscribed: boolean,
): boolean {
  if (mayReadChannel(directory, user, channel, subscribed)) return true
  if (!user?.is_active || isGuest(user)) return false
  return isAdministrator(user) || holds(directory, user, channel, 'can_administer_channel_group')
}

/** Guests see only channels that they are subscribed to, or that are open to the web. */
export const seesPublicChannels = (user: UserRow): boolean => !isGuest(user)

/**
 * Whether the user may read the channel's messages (docs/protocol/permissions.md#access-to-channels). In a private channel with protected
 * history these are only messages sent while the user was subscribed; mayReadMessage decides that per message.
 */
export function mayReadChannel(
  directory: Directory,
  user: UserRow | null,
  channel: ChannelTraits,
  subscribed: boolean,
): boolean {
  if (!user) return channel.is_web_public && !channel.is_archived && isOpenToWeb(directory)
  if (!user.is_active) return false
  if (subscribed || channel.is_web_public) return true
  if (isGuest(user)) return false
  return !channel.invite_only || readingPermissions.some(name => holds(directory, user, channel, name))
}

/** The reason why the user may not post, or null. A bot may also post where its owner may; the server's own bots may post everywhere. */
export function mayPost(
  directory: Directory,
  user: UserRow,
  channel: ChannelTraits,
  { subscribed, ownerSubscribed = false }: { readonly subscribed: boolean; readonly ownerSubscribed?: boolean },
): string | null {
  if (user.is_system_bot) return null
  // The text omits the channel's name: the caller may have guessed the id.
  const refusal = 'Not authorized to send to this channel'
  const owner = ownerOf(directory, user)
  // A guest may read a web-public channel without a subscription, but not post in it.
  const reaches = (who: UserRow, isSubscribed: boolean) =>
    isSubscribed || (!isGuest(who) && mayReadChannel(directory, who, channel, false))
  const mayWrite = (who: UserRow) => holds(directory, who, channel, 'can_send_message_group')
  const obstacle = postObstacle({
    isArchived: channel.is_archived,
    reaches: reaches(user, subscribed) || (owner !== undefined && reaches(owner, ownerSubscribed)),
    mayWrite: mayWrite(user) || (owner !== undefined && mayWrite(owner)),
  })
  if (!obstacle) return null
  return obstacle === 'permission' ? 'You do not have permission to post in this channel.' : refusal
}

/** Whether a message of the user may create a topic; mayPost is checked separately. */
export function mayCreateTopic(directory: Directory, user: UserRow, channel: ChannelTraits): boolean {
  if (user.is_system_bot || holds(directory, user, channel, 'can_create_topic_group')) return true
  const owner = ownerOf(directory, user)
  return owner !== undefined && holds(directory, owner, channel, 'can_create_topic_group')
}

/** Whether the user may subscribe to the channel. */
export function maySubscribe(
  directory: Directory,
  user: UserRow,
  channel: ChannelTraits,
  subscribed: boolean,
): boolean {
  return !isGuest(user) && mayReadChannel(directory, user, channel, subscribed)
}

/** Whether the user may subscribe other users. */
export function mayAddSubscribers(
  directory: Directory,
  user: UserRow,
  channel: ChannelTraits,
  subscribed: boolean,
): boolean {
  return (
    maySubscribe(directory, user, channel, subscribed) &&
    (isInGroup(directory, user.id, realmGroup(directory, 'can_add_subscribers_group')) ||
      holds(directory, user, channel, 'can_add_subscribers_group') ||
      mayAdminister(directory, user, channel))
  )
}

/** Whether the user may unsubscribe other users. */
function mayRemoveSubscribers(
  directory: Directory,
  user: UserRow,
  channel: ChannelTraits,
  subscribed: boolean,
): boolean {
  return (
    mayAdminister(directory, user, channel) ||
    (knowsChannel(directory, user, channel, subscribed) &&
      holds(directory, user, channel, 'can_remove_subscribers_group'))
  )
}

/** Whether the caller may unsubscribe these users: it may always unsubscribe itself and its bots. */
export function mayUnsubscribe(
  directory: Directory,
  caller: UserRow,
  channel: ChannelTraits,
  { users, subscribed }: { readonly users: readonly UserRow[]; readonly subscribed: boolean },
): boolean {
  return (
    users.every(user => user.id === caller.id || ownsBot(caller, user)) ||
    mayRemoveSubscribers(directory, caller, channel, subscribed)
  )
}

/** Whether the user may change the channel. Administrators may; changes that need access to the content check that separately. */
export function mayAdminister(directory: Directory, user: UserRow, channel: ChannelTraits): boolean {
  if (isGuest(user)) return false
  return isAdministrator(user) || holds(directory, user, channel, 'can_administer_channel_group')
}

const holds = (directory: Directory, user: UserRow, channel: ChannelTraits, name: ChannelPermission): boolean =>
  isInGroup(directory, user.id, channelGroup(directory, channel, name))

function ownerOf(directory: Directory, user: UserRow): UserRow | undefined {
  return user.is_bot && user.bot_owner_id !== null ? directory.users.get(user.bot_owner_id) : undefined
}

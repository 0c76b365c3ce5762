import { ApiError, badRequest } from '../../shared/errors.js'
import type { Directory } from '../memory/directory.js'
import type { InvitationRow } from '../store/accounts/invitations.js'
import type { UserRow } from '../store/users/users.js'
import { humanMembers } from './allow.js'
import { type ChannelTraits, mayAddSubscribers, maySubscribe } from './channel-permissions.js'
import { isInGroup, realmGroup } from './groups.js'
import { requiresInvitation } from './joining.js'
import { administrator, isAdministrator, isOwner, moderator, owner } from './roles.js'

// Who may invite, with which role, and who may end an invitation (docs/protocol/permissions.md#invitations).

const permissions = { mail: 'can_invite_users_group', link: 'create_multiuse_invite_group' } as const

const insufficient = () => badRequest('Insufficient permission')

/** By mail and by link are two rights, of which neither implies the other. @throws {ApiError} BAD_REQUEST */
export function requireMayInvite(directory: Directory, user: UserRow, by: 'mail' | 'link'): void {
  humanMembers({ user })
  if (!isInGroup(directory, user.id, realmGroup(directory, permissions[by]))) throw insufficient()
}

const newcomerMs = 3 * 86_400_000

/** Whether the account is too young to send mails to strangers: where accounts are open to all, it may have been made for that. */
export const isTooYoungToInvite = (directory: Directory, user: UserRow, now: number): boolean =>
  !requiresInvitation(directory) && !isAdministrator(user) && now - user.date_joined.getTime() < newcomerMs

/** Only owners invite owners, and only administrators invite moderators and administrators. */
function mayGiveRole(user: UserRow, role: number): boolean {
  if (role === owner) return isOwner(user)
  return role === administrator || role === moderator ? isAdministrator(user) : true
}

/** @throws {ApiError} UNAUTHORIZED_PRINCIPAL if only owners may give the role, BAD_REQUEST if only administrators may */
export function requireMayGiveRole(user: UserRow, role: number): void {
  if (mayGiveRole(user, role)) return
  if (role === owner) throw new ApiError('UNAUTHORIZED_PRINCIPAL', 'Must be an organization owner')
  throw badRequest('Only administrators invite moderators and administrators.')
}

/** @throws {ApiError} BAD_REQUEST unless the user may choose what the welcome bot says */
export function requireMayWriteWelcome(user: UserRow): void {
  if (!isAdministrator(user)) throw badRequest('Only administrators write the welcome message of an invitation.')
}

/** Whether the user may have people join the channel: it may subscribe others to it, or all new accounts are subscribed. */
export function mayInviteTo(
  directory: Directory,
  user: UserRow,
  channel: ChannelTraits & { readonly is_default: boolean },
  subscribed: boolean,
): boolean {
  return channel.is_default || mayAddSubscribers(directory, user, channel, subscribed)
}

/** Whether the channel exists for the user as one that an invitation can name. */
export const canBeNamed = (directory: Directory, user: UserRow, channel: ChannelTraits, subscribed: boolean): boolean =>
  !channel.is_archived && maySubscribe(directory, user, channel, subscribed)

type Made = Pick<InvitationRow, 'inviter_id' | 'role'>

/** Who made it may resend and revoke it whatever its role is now. @throws {ApiError} BAD_REQUEST, UNAUTHORIZED_PRINCIPAL */
export function requireMayManage(user: UserRow, invitation: Made): void {
  if (invitation.inviter_id === user.id) return
  if (!isAdministrator(user)) throw insufficient()
  if (invitation.role === owner && !isOwner(user)) {
    throw new ApiError('UNAUTHORIZED_PRINCIPAL', 'Must be an organization owner')
  }
}

/** Administrators see the invitations of all accounts, but not a link that would make them owners. */
export const seesAllInvitations = (user: UserRow): boolean => isAdministrator(user)
export const seesLink = (user: UserRow, invitation: Made): boolean =>
  invitation.role !== owner || isOwner(user) || invitation.inviter_id === user.id

/** Where the server sends no mails, administrators pass on the links of those that it has only written. */
export const seesMailedLink = (user: UserRow, invitation: Made, sendsMails: boolean): boolean =>
  !sendsMails && isAdministrator(user) && (invitation.role !== owner || isOwner(user))

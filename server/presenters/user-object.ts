import type { UserObject } from '../../shared/resources/user.js'
import { isAdministrator, isGuest, isOwner, member } from '../policies/roles.js'
import { deliveryEmailFor } from '../policies/users.js'
import type { UserRow } from '../store/users/users.js'
import { apiEmail, dummyEmail, unknownName } from './addresses.js'
import { avatarUrl, unknownAvatar } from './avatars.js'

/** The parts of a user object that depend on the request and on the place where the object appears. */
export interface UserObjectOptions {
  readonly publicUrl: string
  readonly realmHost: string
  /** The client computes gravatar addresses itself for users whose email address it sees. */
  readonly clientGravatar: boolean
  readonly profileData: boolean
  /** Without addresses of pictures that are not uploaded ones. */
  readonly onlyUploaded?: boolean
  /** False in the lists of a register answer: the list already says whether its users are active. */
  readonly isActive: boolean
}

/** A user (docs/protocol/conventions.md#users), as the viewer (null: a spectator) may see it. */
export function userObject(user: UserRow, viewer: UserRow | null, options: UserObjectOptions): UserObject {
  return userObjectWith(user, deliveryEmailFor(viewer, user), viewer === null, options)
}

/** userObject for callers that have already decided whether the viewer sees the email address. */
export function userObjectWith(
  user: UserRow,
  deliveryEmail: string | null,
  forSpectator: boolean,
  options: UserObjectOptions,
): UserObject {
  const email = apiEmail(user, options.realmHost, forSpectator)
  const isKnown = options.clientGravatar && deliveryEmail !== null
  const isLeftOut = (options.onlyUploaded || isKnown) && user.avatar_source !== 'U'
  const joined = user.date_joined.toISOString()
  return {
    user_id: user.id,
    email,
    delivery_email: deliveryEmail,
    full_name: user.full_name,
    role: user.role,
    is_owner: isOwner(user),
    is_admin: isAdministrator(user),
    is_guest: isGuest(user),
    is_bot: user.is_bot,
    ...(user.is_bot && { bot_type: user.bot_type, bot_owner_id: user.bot_owner_id }),
    ...(user.is_system_bot && { is_system_bot: true as const }),
    timezone: forSpectator ? '' : user.timezone,
    date_joined: forSpectator ? joined.slice(0, 10) : `${joined.slice(0, 16)}+00:00`,
    avatar_version: user.avatar_version,
    avatar_url: isLeftOut ? null : avatarUrl(user, deliveryEmail ?? email, options.publicUrl),
    is_imported_stub: false,
    ...(options.isActive && { is_active: user.is_active }),
    ...(user.is_deleted && { is_deleted: true as const }),
    ...(options.profileData && !forSpectator && !user.is_bot && { profile_data: user.profile_data }),
  }
}

/** The placeholder of a user that the viewer may not see: only the id is real. */
export function unknownUser(userId: number, options: UserObjectOptions): UserObject {
  return {
    user_id: userId,
    email: dummyEmail(userId, options.realmHost),
    delivery_email: null,
    full_name: unknownName,
    role: member,
    is_owner: false,
    is_admin: false,
    is_guest: false,
    is_bot: false,
    timezone: '',
    date_joined: '1970-01-01T00:00+00:00',
    avatar_version: 1,
    avatar_url: unknownAvatar(options.publicUrl),
    is_imported_stub: false,
    ...(options.isActive && { is_active: true }),
    ...(options.profileData && { profile_data: {} }),
  }
}

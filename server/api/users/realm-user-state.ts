import { z } from 'zod'
import type { RealmPermission } from '../../../shared/resources/permission-settings.js'
import { user } from '../../../shared/resources/user.js'
import type { Ctx } from '../../ctx.js'
import { currentUser } from '../../lookups/find-user.js'
import type { Directory } from '../../memory/directory.js'
import { isInGroup, realmGroup } from '../../policies/groups.js'
import { isAdministrator, isGuest, isModerator, isOwner } from '../../policies/roles.js'
import { apiEmail } from '../../presenters/addresses.js'
import { avatarUrl, unknownAvatar } from '../../presenters/avatars.js'
import { userList } from '../../presenters/user-list.js'
import { type UserObjectOptions, userObject } from '../../presenters/user-object.js'
import type { UserRow } from '../../store/users/users.js'
import { JsonFields } from '../route.js'
import { knownUsers, type StatePiece } from '../state-piece.js'

/** All users that the caller may know of, and the caller. */
export const realmUserPiece: StatePiece = {
  fetchType: 'realm_user',
  fields: {
    realm_users: z.array(user),
    realm_non_active_users: z.array(user).describe('Deactivated users.'),
    cross_realm_bots: z.array(user).describe("The server's own bots."),
    avatar_source: z.enum(['G', 'J', 'U']),
    avatar_url: z.string(),
    avatar_url_medium: z.string(),
    can_create_private_streams: z.boolean(),
    can_create_public_streams: z.boolean(),
    can_create_web_public_streams: z.boolean(),
    can_create_streams: z.boolean(),
    can_subscribe_other_users: z.boolean(),
    can_invite_others_to_realm: z.boolean(),
    is_owner: z.boolean(),
    is_admin: z.boolean(),
    is_moderator: z.boolean(),
    is_guest: z.boolean(),
    user_id: z.int(),
    email: z.string(),
    delivery_email: z.string(),
    full_name: z.string(),
    profile_data: user.shape.profile_data.describe("The caller's, with `slim_users`."),
  },
  async read({ ctx, actor, options: { view, slimUsers }, shared }) {
    const { directory } = ctx
    const viewer = actor && currentUser(directory, actor.user)
    const options: UserObjectOptions = {
      publicUrl: ctx.publicUrl,
      realmHost: ctx.realmHost,
      clientGravatar: view.client_gravatar,
      profileData: !slimUsers,
      onlyUploaded: slimUsers,
      isActive: false,
    }
    const known = await shared(knownUsers)
    const list = (which: 'active' | 'deactivated') =>
      userList(directory, viewer, { which, known, placeholders: !view.user_list_incomplete }, options)
    const own = {
      ...(viewer ? self(ctx, viewer) : spectator(ctx)),
      ...(viewer && slimUsers && !viewer.is_bot && { profile_data: viewer.profile_data }),
      cross_realm_bots: systemBots(ctx, viewer, options),
    }
    return new JsonFields(
      '"realm_users":',
      ...list('active'),
      ',"realm_non_active_users":',
      ...list('deactivated'),
      `,${JSON.stringify(own).slice(1, -1)}`,
    )
  },
}

function systemBots({ directory }: Ctx, viewer: UserRow | null, options: UserObjectOptions) {
  return directory.derived(ownBots).map(bot => userObject(bot, viewer, { ...options, clientGravatar: false }))
}

const ownBots = ({ users }: Directory): UserRow[] => [...users.values()].filter(user => user.is_system_bot)

function self(ctx: Ctx, user: UserRow): Record<string, unknown> {
  const { delivery_email } = user
  return {
    avatar_source: user.avatar_source,
    avatar_url: avatarUrl(user, delivery_email, ctx.publicUrl),
    avatar_url_medium: avatarUrl(user, delivery_email, ctx.publicUrl, true),
    ...abilities(permission => isInGroup(ctx.directory, user.id, realmGroup(ctx.directory, permission))),
    is_owner: isOwner(user),
    is_admin: isAdministrator(user),
    is_moderator: isModerator(user),
    is_guest: isGuest(user),
    user_id: user.id,
    email: apiEmail(user, ctx.realmHost),
    delivery_email,
    full_name: user.full_name,
  }
}

function spectator({ publicUrl }: Ctx): Record<string, unknown> {
  return {
    avatar_source: 'G',
    avatar_url: unknownAvatar(publicUrl),
    avatar_url_medium: unknownAvatar(publicUrl, true),
    ...abilities(() => false),
    is_owner: false,
    is_admin: false,
    is_moderator: false,
    is_guest: false,
    user_id: -1,
    email: '',
    delivery_email: '',
    full_name: '',
  }
}

/** Legacy fields that follow from the organization's permissions. */
function abilities(may: (permission: RealmPermission) => boolean): Record<string, boolean> {
  const can_create_public_streams = may('can_create_public_channel_group')
  const can_create_private_streams = may('can_create_private_channel_group')
  const can_create_web_public_streams = may('can_create_web_public_channel_group')
  return {
    can_create_public_streams,
    can_create_private_streams,
    can_create_web_public_streams,
    can_create_streams: can_create_public_streams || can_create_private_streams || can_create_web_public_streams,
    can_subscribe_other_users: may('can_add_subscribers_group'),
    can_invite_others_to_realm: may('can_invite_users_group'),
  }
}

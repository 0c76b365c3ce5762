/** Allowed values of a group setting, and its value in a new object (`server_supported_permission_settings`). */
export interface PermissionSetting {
  /** A system group, or the creator of the object (`channel_creator`, `group_creator`). */
  readonly default_group_name: string
  /** Only for settings of groups: the value in system groups. */
  readonly default_for_system_groups: string | null
  readonly allow_nobody_group: boolean
  readonly allow_everyone_group: boolean
  readonly require_system_group: boolean
  /** Empty: all are allowed. */
  readonly allowed_system_groups: readonly string[]
  /** Never the only holder. Not sent to clients: the announced rules have no field for it. */
  readonly refused_system_group?: string
  /** The only holder while the server has no operation for what the setting permits. Not sent, for the same reason. */
  readonly fixed_group?: string
}

type Rule = Partial<Omit<PermissionSetting, 'default_group_name'>>

const starts = (default_group_name: string, rule: Rule = {}): PermissionSetting => ({
  default_group_name,
  default_for_system_groups: null,
  allow_nobody_group: true,
  allow_everyone_group: false,
  require_system_group: false,
  allowed_system_groups: [],
  ...rule,
})

// Clients offer to users what a permission allows them, so no user holds one for what the server does not do yet.
const notYet = { fixed_group: 'role:nobody' }

/** Permissions of the organization; the setting `realm_<name>` has the holders. */
export const realmPermissions = {
  create_multiuse_invite_group: starts('role:administrators'),
  can_access_all_users_group: starts('role:everyone', {
    allow_nobody_group: false,
    allow_everyone_group: true,
    require_system_group: true,
    allowed_system_groups: ['role:everyone', 'role:members'],
  }),
  can_add_subscribers_group: starts('role:members'),
  can_add_custom_emoji_group: starts('role:members'),
  can_create_bots_group: starts('role:members'),
  can_create_groups: starts('role:members'),
  can_create_public_channel_group: starts('role:members'),
  can_create_private_channel_group: starts('role:members'),
  can_create_web_public_channel_group: starts('role:owners', {
    require_system_group: true,
    allowed_system_groups: ['role:moderators', 'role:administrators', 'role:owners', 'role:nobody'],
  }),
  can_create_write_only_bots_group: starts('role:members'),
  can_delete_any_message_group: starts('role:administrators'),
  can_delete_own_message_group: starts('role:everyone', { allow_everyone_group: true }),
  can_invite_users_group: starts('role:members'),
  can_manage_all_groups: starts('role:owners', { allow_nobody_group: false }),
  can_manage_billing_group: starts('role:administrators', { allow_nobody_group: false }),
  can_mention_many_users_group: starts('role:administrators', { allow_everyone_group: true }),
  can_move_messages_between_channels_group: starts('role:members'),
  can_move_messages_between_topics_group: starts('role:everyone', { allow_everyone_group: true }),
  can_resolve_topics_group: starts('role:everyone', { allow_everyone_group: true }),
  can_set_delete_message_policy_group: starts('role:moderators'),
  can_set_topics_policy_group: starts('role:members', { allow_everyone_group: true }),
  can_summarize_topics_group: starts('role:everyone', { ...notYet, allow_everyone_group: true }),
  direct_message_initiator_group: starts('role:everyone', { allow_everyone_group: true }),
  direct_message_permission_group: starts('role:everyone', { allow_everyone_group: true }),
} as const satisfies Record<string, PermissionSetting>

/** Permissions of a channel. */
export const channelPermissions = {
  can_add_subscribers_group: starts('role:nobody'),
  can_administer_channel_group: starts('channel_creator'),
  can_create_topic_group: starts('role:everyone', { allow_everyone_group: true }),
  can_delete_any_message_group: starts('role:nobody', { allow_everyone_group: true }),
  can_delete_own_message_group: starts('role:nobody', { allow_everyone_group: true }),
  can_move_messages_out_of_channel_group: starts('role:nobody', { allow_everyone_group: true }),
  can_move_messages_within_channel_group: starts('role:nobody', { allow_everyone_group: true }),
  can_remove_subscribers_group: starts('role:administrators', { allow_everyone_group: true }),
  can_resolve_topics_group: starts('role:nobody', { allow_everyone_group: true }),
  can_send_message_group: starts('role:everyone', { allow_everyone_group: true }),
  can_subscribe_group: starts('role:nobody'),
} as const satisfies Record<string, PermissionSetting>

/** Permissions of a user group. */
export const groupPermissions = {
  can_add_members_group: starts('group_creator', { default_for_system_groups: 'role:nobody' }),
  can_join_group: starts('role:nobody', { default_for_system_groups: 'role:nobody' }),
  can_leave_group: starts('role:everyone', { default_for_system_groups: 'role:nobody', allow_everyone_group: true }),
  can_manage_group: starts('group_creator', { default_for_system_groups: 'role:nobody' }),
  can_mention_group: starts('role:everyone', {
    default_for_system_groups: 'role:nobody',
    allow_everyone_group: true,
    refused_system_group: 'role:owners',
  }),
  can_remove_members_group: starts('role:nobody', { default_for_system_groups: 'role:nobody' }),
} as const satisfies Record<string, PermissionSetting>

export type RealmPermission = keyof typeof realmPermissions
export type ChannelPermission = keyof typeof channelPermissions
export type GroupPermission = keyof typeof groupPermissions

export const channelPermissionNames = Object.keys(channelPermissions) as readonly ChannelPermission[]

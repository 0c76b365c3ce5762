import { type SettingsKey, st } from '../../../../language/settings-language.js'

/** The changes that the page has words for, as the server names them. */
export const auditEvents = [
  'realm_user/add',
  'realm_user/update',
  'password_change',
  'password_link',
  '_sessions_ended',
  'invites_changed',
  'realm/update',
  'realm/update_dict',
  'realm_user_settings_defaults/update',
  'stream/create',
  'stream/update',
  'stream/delete',
  'user_group/add',
  'user_group/update',
  'user_group/add_members',
  'user_group/remove_members',
  'realm_domains/add',
  'realm_domains/remove',
  'realm_linkifiers',
  'realm_playgrounds',
  'custom_profile_fields',
] as const

/** What the change was; without words for it, its name. */
export const eventTitle = (event: string): string =>
  (st(`audit.events.${event}` as SettingsKey) as string | undefined) ?? event

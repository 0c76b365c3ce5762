import {
  type RealmSettingName,
  type RealmSettings,
  realmSettingDefaults,
} from '../../shared/resources/realm-settings.js'
import { type UserSettingName, type UserSettings, userSettingDefaults } from '../../shared/resources/user-settings.js'
import type { Directory } from '../memory/directory.js'
import type { UserRow } from '../store/users/users.js'

/** A setting of the organization. */
export function realmSetting<Name extends RealmSettingName>(directory: Directory, name: Name): RealmSettings[Name] {
  const stored = directory.organization.settings[name]
  return (stored === undefined ? realmSettingDefaults[name] : stored) as RealmSettings[Name]
}

/**
 * A personal setting. New users get a copy of the organization's defaults, so later changes of the defaults affect no existing user
 * (docs/protocol/events.md#realm_user_settings_defaults).
 */
export function userSetting<Name extends UserSettingName>(user: UserRow, name: Name): UserSettings[Name] {
  if (name === 'email_address_visibility') return user.email_address_visibility as UserSettings[Name]
  const stored = user.settings[name]
  return (stored === undefined ? userSettingDefaults[name] : stored) as UserSettings[Name]
}

/** The value that a new user starts with. */
export function settingDefault<Name extends UserSettingName>(directory: Directory, name: Name): UserSettings[Name] {
  const stored = directory.organization.user_settings_defaults[name]
  return (stored === undefined ? userSettingDefaults[name] : stored) as UserSettings[Name]
}

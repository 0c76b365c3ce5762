import { badRequest } from '../../shared/errors.js'
import {
  notificationSounds,
  type UserSettingName,
  type UserSettings,
  userSettingDefaults,
} from '../../shared/resources/user-settings.js'
import type { Directory } from '../store/directory.js'
import type { UserRow } from '../store/users.js'

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

/** A setting's value on the wire: the sound stored as `service` has the brand's name there. */
export function settingOnWire<Name extends UserSettingName>(
  name: Name,
  value: UserSettings[Name],
  brand: string,
): UserSettings[Name] {
  return (name === 'notification_sound' && value === 'service' ? brand : value) as UserSettings[Name]
}

/** The stored form of a notification sound that a client named. @throws {ApiError} BAD_REQUEST */
export function storedSound(named: string, brand: string): string {
  const sound = notificationSounds.find(one => settingOnWire('notification_sound', one, brand) === named)
  if (!sound && named !== 'none') throw badRequest(`Invalid notification sound '${named}'`)
  return sound ?? named
}

import { type UserSettingName, type UserSettings, userSettingDefaults } from '../../shared/resources/user-settings.js'
import type { UserRow } from '../store/users.js'

/**
 * A personal setting. New users get the organization's defaults of that time as settings of their own, so that changing
 * those later changes nobody (api.md E2).
 */
export function userSetting<Name extends UserSettingName>(user: UserRow, name: Name): UserSettings[Name] {
  if (name === 'email_address_visibility') return user.email_address_visibility as UserSettings[Name]
  const stored = user.settings[name]
  return (stored === undefined ? userSettingDefaults[name] : stored) as UserSettings[Name]
}

import { z } from 'zod'
import {
  emojisetChoices,
  notificationSounds,
  type UserSettings,
  userSettingDefaults,
  userSettings,
} from '../../../shared/resources/user-settings.js'
import { currentUser } from '../../lookups/find-user.js'
import { doNotDisturbName } from '../../policies/quiet.js'
import { settingOnWire } from '../../presenters/user-settings.js'
import type { StateCall, StatePiece } from '../state-piece.js'

/** Settings in the wire form: the sound carries the brand's name, and the available choices are added to the values. */
function branded(settings: Partial<UserSettings>, brand: string): Record<string, unknown> {
  const sound = (name: string) => settingOnWire('notification_sound', name, brand)
  const all = { ...userSettingDefaults, ...settings }
  return {
    ...all,
    notification_sound: sound(all.notification_sound),
    available_notification_sounds: notificationSounds.map(sound),
    emojiset_choices: emojisetChoices,
  }
}

function organizationDefaults({ ctx }: StateCall): Record<string, unknown> {
  return branded(ctx.directory.organization.user_settings_defaults as Partial<UserSettings>, ctx.config.wireBrand)
}

const settingFields = z.looseObject(userSettings.shape).partial()

export const userSettingsPiece: StatePiece = {
  fetchType: 'user_settings',
  fields: { user_settings: settingFields },
  async read(call) {
    if (!call.actor) return { user_settings: { ...organizationDefaults(call), timezone: '' } }
    const user = currentUser(call.ctx.directory, call.actor.user)
    const { [doNotDisturbName]: _, ...own } = user.settings
    const settings = branded(own as Partial<UserSettings>, call.ctx.config.wireBrand)
    const { email_address_visibility, timezone } = user
    return { user_settings: { ...settings, email_address_visibility, timezone } }
  },
}

export const userSettingsDefaultsPiece: StatePiece = {
  fetchType: 'realm_user_settings_defaults',
  fields: { realm_user_settings_defaults: settingFields },
  async read(call) {
    return { realm_user_settings_defaults: organizationDefaults(call) }
  },
}

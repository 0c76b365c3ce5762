import { badRequest } from '../../shared/errors.js'
import type { InheritedNotifications } from '../../shared/resources/subscription.js'
import { notificationSounds, type UserSettingName, type UserSettings } from '../../shared/resources/user-settings.js'
import { userSetting } from '../policies/settings.js'
import type { UserRow } from '../store/users/users.js'

/** A setting's value on the wire: the sound stored as `service` has the brand's name there. */
export function settingOnWire<Name extends UserSettingName, Value extends UserSettings[Name]>(
  name: Name,
  value: Value,
  brand: string,
): Value {
  return (name === 'notification_sound' && value === 'service' ? brand : value) as Value
}

/** The stored form of a notification sound that a client named. @throws {ApiError} BAD_REQUEST */
export function storedSound(named: string, brand: string): string {
  const sound = notificationSounds.find(
    one => settingOnWire<'notification_sound', string>('notification_sound', one, brand) === named,
  )
  if (!sound && named !== 'none') throw badRequest(`Invalid notification sound '${named}'`)
  return sound ?? named
}

/**
 * The values that a null in a subscription inherits: the user's settings for all channels (docs/protocol/register.md#client-capabilities).
 */
export function inheritedNotifications(user: UserRow): InheritedNotifications {
  return {
    desktop_notifications: userSetting(user, 'enable_stream_desktop_notifications'),
    email_notifications: userSetting(user, 'enable_stream_email_notifications'),
    push_notifications: userSetting(user, 'enable_stream_push_notifications'),
    audible_notifications: userSetting(user, 'enable_stream_audible_notifications'),
  }
}

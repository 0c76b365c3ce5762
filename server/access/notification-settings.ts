import type { NotificationSettings } from '../../shared/resources/subscription.js'
import type { UserRow } from '../store/users.js'
import { userSetting } from './user-settings.js'

/**
 * The values that a null in a subscription inherits: the user's settings for all channels (docs/protocol/register.md#client-capabilities).
 */
export function inheritedNotifications(user: UserRow): NotificationSettings<boolean> {
  return {
    desktop_notifications: userSetting(user, 'enable_stream_desktop_notifications'),
    email_notifications: userSetting(user, 'enable_stream_email_notifications'),
    push_notifications: userSetting(user, 'enable_stream_push_notifications'),
    audible_notifications: userSetting(user, 'enable_stream_audible_notifications'),
    wildcard_mentions_notify: userSetting(user, 'wildcard_mentions_notify'),
  }
}

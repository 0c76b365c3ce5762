import type { NotificationSettings } from '../../shared/resources/subscription.js'
import type { UserRow } from '../store/users.js'

/** What a null in a subscription stands for: the user's settings for all channels (api.md "Channel subscription"). */
export function inheritedNotifications({ settings }: UserRow): NotificationSettings<boolean> {
  const setting = (name: string, byDefault: boolean) => (settings[name] as boolean | undefined) ?? byDefault
  return {
    desktop_notifications: setting('enable_stream_desktop_notifications', false),
    email_notifications: setting('enable_stream_email_notifications', false),
    push_notifications: setting('enable_stream_push_notifications', false),
    audible_notifications: setting('enable_stream_audible_notifications', false),
    wildcard_mentions_notify: setting('wildcard_mentions_notify', true),
  }
}

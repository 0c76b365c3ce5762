import type { PersonalSettings } from '../../../shared/resources/subscription.js'
import { asJson } from '../driver/as-json.js'
import type { Tx } from '../driver/db.js'
import { noteListChange } from '../driver/directory-lease.js'
import type { SubscriptionRow } from './subscriptions.js'

/** The user's active subscriptions to these channels, locked until the transaction ends. */
export async function holdSubscriptions(
  tx: Tx,
  userId: number,
  channelIds: readonly number[],
): Promise<SubscriptionRow[]> {
  return tx<SubscriptionRow[]>`
    select user_id, channel_id, is_active, is_forgotten, color, is_muted, pin_to_top, desktop_notifications,
      email_notifications, push_notifications, audible_notifications, wildcard_mentions_notify
    from subscriptions where user_id = ${userId} and channel_id = any(${[...channelIds]}) and is_active
    order by channel_id for no key update`
}

/** Stores all personal settings of a user for each of the channels. */
export async function storePersonalSettings(
  tx: Tx,
  userId: number,
  settings: ReadonlyMap<number, PersonalSettings>,
): Promise<void> {
  noteListChange(tx, [userId])
  const rows = [...settings].map(([channel_id, values]) => ({ channel_id, ...values }))
  await tx`
    update subscriptions set color = given.color, is_muted = given.is_muted, pin_to_top = given.pin_to_top,
      desktop_notifications = given.desktop_notifications, email_notifications = given.email_notifications,
      push_notifications = given.push_notifications, audible_notifications = given.audible_notifications,
      wildcard_mentions_notify = given.wildcard_mentions_notify
    from jsonb_to_recordset(${asJson(tx, rows)}) as given (channel_id int, color text, is_muted boolean,
      pin_to_top boolean, desktop_notifications boolean, email_notifications boolean, push_notifications boolean,
      audible_notifications boolean, wildcard_mentions_notify boolean)
    where subscriptions.user_id = ${userId} and subscriptions.channel_id = given.channel_id`
}

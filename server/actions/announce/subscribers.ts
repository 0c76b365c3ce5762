import { subscriptionAdd } from '../../../shared/events/subscription.js'
import type { ChannelObject } from '../../../shared/resources/channel.js'
import type { SubscriberLists } from '../../../shared/resources/subscription.js'
import type { Directory } from '../../memory/directory.js'
import { inheritedNotifications } from '../../presenters/user-settings.js'
import type { Emit } from '../../realtime/emission.js'
import { personalSettings, type SubscriptionRow } from '../../store/channels/subscriptions.js'
import type { UserRow } from '../../store/users/users.js'
import { gather } from '../gather.js'

/** Channels as they are after the change. */
export interface Shown {
  readonly directory: Directory
  readonly objects: ReadonlyMap<number, ChannelObject>
  readonly lists: ReadonlyMap<number, SubscriberLists>
}

/**
 * Emits subscription/add; users whose events are equal share one. `unarchived`: only for clients to which the archived channels were
 * deleted.
 */
export function notifySubscribers(
  emit: Emit,
  { directory, objects, lists }: Shown,
  rows: readonly SubscriptionRow[],
  unarchived?: true,
): void {
  const receivers = gather(rows, row => row.user_id).map(([userId, own]) => {
    const inherited = inheritedNotifications(directory.users.get(userId) as UserRow)
    const subscriptions = own
      .map(row => ({ id: row.channel_id, personal: personalSettings(row) }))
      .sort((a, b) => a.id - b.id)
    return { userId, inherited, subscriptions }
  })
  const sameEvent = gather(receivers, ({ inherited, subscriptions }) => JSON.stringify([inherited, subscriptions]))
  for (const [, users] of sameEvent) {
    const [first] = users
    if (!first) continue
    const subscriptions = first.subscriptions.map(({ id, personal }) => ({
      channel: objects.get(id) as ChannelObject,
      personal,
      lists: lists.get(id) ?? { subscribers: [] },
    }))
    const audience = users.map(user => user.userId).sort((a, b) => a - b)
    emit(subscriptionAdd, { subscriptions, inherited: first.inherited, unarchived }, audience)
  }
}

import {
  type NotificationSettings,
  type PersonalSettings,
  type SubscriptionEntry,
  subscriptionObject,
} from '../resources/subscription.js'
import {
  channelLists,
  entriesOf,
  type ListedChannel,
  listOf,
  type State,
  subscriptionLists,
  takeOut,
} from './channel-lists.js'
import { defineEvent } from './event.js'
import { recountUnread, removeUnread, type UnreadMsgs } from './unread-state.js'

export interface SubscriptionAddPayload {
  subscriptions: readonly SubscriptionEntry[]
  /** The receivers' settings for all channels; a null in a channel's settings means these. */
  inherited: NotificationSettings<boolean>
  /** Only for clients without archived_channels: for them a channel that leaves the archive is new. */
  unarchived?: boolean
}

export interface SubscriptionRemovePayload {
  subscriptions: readonly { stream_id: number; name: string }[]
}

export interface SubscriptionUpdatePayload {
  stream_id: number
  property: keyof PersonalSettings | 'in_home_view'
  value: boolean | string
}

/**
 * A setting of the user changed that channels inherit: one wire event per inheriting channel, for clients that do not
 * understand null.
 */
export interface InheritedUpdatePayload {
  inheriting: readonly number[]
  property: keyof NotificationSettings<boolean>
  value: boolean
}

export interface PeersPayload {
  stream_ids: readonly number[]
  user_ids: readonly number[]
  /** As in SubscriptionAddPayload. */
  unarchived?: boolean
}

export const subscriptionAdd = defineEvent<SubscriptionAddPayload>('subscription/add', {
  doc: 'The receiver was subscribed to channels.',
  dependsOn: ['notification_settings_null', 'include_subscribers', 'archived_channels'],
  render({ subscriptions, inherited, unarchived }, view) {
    if (unarchived && view.archived_channels) return null
    const shown = subscriptions.filter(({ channel }) => view.archived_channels || !channel.is_archived)
    if (shown.length === 0) return null
    return { subscriptions: shown.map(entry => subscriptionObject(entry, inherited, view)) }
  },
  apply(state, event) {
    for (const subscription of event.subscriptions as ListedChannel[]) {
      takeOut(state, subscription.stream_id, subscriptionLists)
      listOf(state, 'subscriptions')?.push({ ...subscription })
      for (const entry of entriesOf(state, subscription.stream_id, ['streams'])) {
        entry.subscriber_count = subscription.subscriber_count
      }
    }
  },
})

export const subscriptionRemove = defineEvent<SubscriptionRemovePayload>('subscription/remove', {
  doc: 'The receiver was unsubscribed from channels.',
  apply(state, event) {
    for (const { stream_id } of event.subscriptions as ListedChannel[]) {
      forgetUnread(state, stream_id)
      const entry = takeOut(state, stream_id, ['subscriptions'])
      if (entry) listOf(state, 'unsubscribed')?.push(entry)
      // The server sends no peer event about the receiver to itself.
      const self = state.user_id
      for (const one of entriesOf(state, stream_id)) {
        changeSubscribers(one, ids => ids.filter(id => id !== self))
        one.subscriber_count = (one.subscriber_count as number) - 1
      }
    }
  },
})

export const subscriptionUpdate = defineEvent<SubscriptionUpdatePayload | InheritedUpdatePayload>(
  'subscription/update',
  {
    doc:
      'One of your own settings for a channel changed; is_muted always comes twice, as in_home_view first. Clients without ' +
      'notification_settings_null are also told of channels without a setting of their own when what these inherit changed.',
    dependsOn: ['notification_settings_null'],
    render(payload, view) {
      if (!('inheriting' in payload)) return { ...payload }
      if (view.notification_settings_null) return null
      const { inheriting, property, value } = payload
      return inheriting.map(stream_id => ({ stream_id, property, value }))
    },
    width: payload => ('inheriting' in payload ? payload.inheriting.length : 1),
    apply(state, event) {
      const { stream_id, property, value } = event as unknown as SubscriptionUpdatePayload
      for (const entry of entriesOf(state, stream_id, ['subscriptions', 'unsubscribed'])) entry[property] = value
      if (property === 'is_muted') recountUnread(state)
    },
  },
)

export const subscriptionPeerAdd = defineEvent<PeersPayload>('subscription/peer_add', {
  doc: 'Others were subscribed: each of the users to each of the channels.',
  dependsOn: ['archived_channels'],
  render: ({ unarchived, ...fields }, view) => (unarchived && view.archived_channels ? null : fields),
  apply: (state, event) =>
    changePeers(state, event, (ids, changed) => [...new Set([...ids, ...changed])].sort((a, b) => a - b), 1),
})

export const subscriptionPeerRemove = defineEvent<PeersPayload>('subscription/peer_remove', {
  doc: 'Others were unsubscribed: each of the users from each of the channels.',
  apply: (state, event) => changePeers(state, event, (ids, changed) => ids.filter(id => !changed.includes(id)), -1),
})

// A user has no unread messages in a channel after leaving it; the flags event for them comes later.
function forgetUnread(state: State, streamId: number): void {
  const places = (state.unread_msgs as UnreadMsgs | undefined)?.streams.filter(place => place.stream_id === streamId)
  removeUnread(state, new Set(places?.flatMap(place => place.unread_message_ids)))
}

function changePeers(
  state: State,
  event: Record<string, unknown>,
  change: (ids: readonly number[], changed: readonly number[]) => number[],
  sign: 1 | -1,
): void {
  const { stream_ids, user_ids } = event as unknown as PeersPayload
  for (const streamId of stream_ids) {
    for (const entry of entriesOf(state, streamId, channelLists)) {
      changeSubscribers(entry, ids => change(ids, user_ids))
      entry.subscriber_count = (entry.subscriber_count as number) + sign * user_ids.length
    }
  }
}

function changeSubscribers(entry: ListedChannel, change: (ids: readonly number[]) => number[]): void {
  for (const key of ['subscribers', 'partial_subscribers']) {
    if (entry[key]) entry[key] = change(entry[key] as number[])
  }
}

import { z } from 'zod'
import {
  type InheritedNotifications,
  personalFieldNames,
  type ResolvedNotification,
  type SubscriptionEntry,
  subscriptionObject,
  subscriptionSchema,
} from '../resources/subscription.js'
import { entriesOf, subscriptionLists, takeOut } from './channel-records.js'
import type { Channel, ClientState } from './client-state.js'
import { defineEvent, type FieldsOf } from './event.js'
import { forgetChannelUnread } from './unread.js'

const added = z.object({ subscriptions: z.array(subscriptionSchema) })
const removed = z.object({ subscriptions: z.array(z.object({ stream_id: z.int(), name: z.string() })) })
const updated = z.object({
  stream_id: z.int(),
  property: z.enum(personalFieldNames),
  value: z.union([z.boolean(), z.string()]),
})
const peers = z.object({ stream_ids: z.array(z.int()), user_ids: z.array(z.int()) })

export interface Unarchived {
  /** Only for clients without archived_channels: for them a channel that leaves the archive is new. */
  readonly unarchived?: boolean
}

export interface SubscriptionAddPayload extends Unarchived {
  readonly subscriptions: readonly SubscriptionEntry[]
  /** The receivers' settings for all channels; a null in a channel's settings means these. */
  readonly inherited: InheritedNotifications
}

/**
 * A setting of the user changed that channels inherit: one wire event per inheriting channel, for clients that do not
 * understand null.
 */
export interface InheritedUpdatePayload {
  readonly inheriting: readonly number[]
  readonly property: ResolvedNotification
  readonly value: boolean
}

type PeersPayload = FieldsOf<typeof peers> & Unarchived

export const subscriptionAdd = defineEvent('subscription/add', {
  doc: 'The receiver was subscribed to channels.',
  fields: added,
  dependsOn: ['notification_settings_null', 'include_subscribers', 'archived_channels'],
  render({ subscriptions, inherited, unarchived }: SubscriptionAddPayload, view) {
    if (unarchived && view.archived_channels) return null
    const shown = subscriptions.filter(({ channel }) => view.archived_channels || !channel.is_archived)
    if (shown.length === 0) return null
    return { subscriptions: shown.map(entry => subscriptionObject(entry, inherited, view)) }
  },
  apply: applySubscriptionAdd,
})

export const subscriptionRemove = defineEvent('subscription/remove', {
  doc: 'The receiver was unsubscribed from channels.',
  fields: removed,
  apply: applySubscriptionRemove,
})

export const subscriptionUpdate = defineEvent('subscription/update', {
  doc:
    'A setting of the receiver for a channel changed. A change of is_muted makes two events, in_home_view first. Clients without ' +
    'notification_settings_null also get an event for each channel that inherits a changed personal setting.',
  fields: updated,
  dependsOn: ['notification_settings_null'],
  render(payload: FieldsOf<typeof updated> | InheritedUpdatePayload, view) {
    if (!('inheriting' in payload)) return payload
    if (view.notification_settings_null) return null
    const { inheriting, property, value } = payload
    return inheriting.map(stream_id => ({ stream_id, property, value }))
  },
  width: payload => ('inheriting' in payload ? payload.inheriting.length : 1),
  apply: applySubscriptionUpdate,
})

export const subscriptionPeerAdd = defineEvent('subscription/peer_add', {
  doc: 'Other users were subscribed: each of the users to each of the channels.',
  fields: peers,
  dependsOn: ['archived_channels'],
  render: ({ unarchived, ...fields }: PeersPayload, view) => (unarchived && view.archived_channels ? null : fields),
  apply: applyPeerAdd,
})

export const subscriptionPeerRemove = defineEvent('subscription/peer_remove', {
  doc: 'Other users were unsubscribed: each of the users from each of the channels.',
  fields: peers,
  apply: applyPeerRemove,
})

export function applySubscriptionAdd(state: ClientState, { subscriptions }: z.output<typeof added>): void {
  for (const subscription of subscriptions) {
    const { stream_id, subscriber_count } = subscription
    takeOut(state, stream_id, subscriptionLists)
    if (state.subscriptions) state.subscriptions[stream_id] = { ...subscription }
    for (const entry of entriesOf(state, stream_id, ['streams'])) entry.subscriber_count = subscriber_count
  }
}

export function applySubscriptionRemove(state: ClientState, { subscriptions }: z.output<typeof removed>): void {
  for (const { stream_id } of subscriptions) {
    // A user has no unread messages in a channel after leaving it; the flags event for them comes later.
    forgetChannelUnread(state, stream_id)
    const entry = takeOut(state, stream_id, ['subscriptions'])
    if (entry && state.unsubscribed) state.unsubscribed[stream_id] = entry
    // The server sends no peer event about the receiver to itself.
    for (const one of entriesOf(state, stream_id)) {
      changeSubscribers(one, ids => ids.filter(id => id !== state.user_id))
      one.subscriber_count -= 1
    }
  }
}

export function applySubscriptionUpdate(
  state: ClientState,
  { stream_id, property, value }: z.output<typeof updated>,
): void {
  for (const entry of entriesOf(state, stream_id, ['subscriptions', 'unsubscribed'])) {
    Object.assign(entry, { [property]: value })
  }
}

type Peers = z.output<typeof peers>

export function applyPeerAdd(state: ClientState, { stream_ids, user_ids }: Peers): void {
  for (const entry of stream_ids.flatMap(id => entriesOf(state, id))) {
    changeSubscribers(entry, ids => [...new Set([...ids, ...user_ids])].sort((a, b) => a - b))
    entry.subscriber_count += user_ids.length
  }
}

export function applyPeerRemove(state: ClientState, { stream_ids, user_ids }: Peers): void {
  for (const entry of stream_ids.flatMap(id => entriesOf(state, id))) {
    changeSubscribers(entry, ids => ids.filter(id => !user_ids.includes(id)))
    entry.subscriber_count -= user_ids.length
  }
}

function changeSubscribers(entry: Channel, change: (ids: readonly number[]) => number[]): void {
  if (entry.subscribers) entry.subscribers = change(entry.subscribers)
  if (entry.partial_subscribers) entry.partial_subscribers = change(entry.partial_subscribers)
}

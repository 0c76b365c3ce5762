import { z } from 'zod'
import type { View } from '../capabilities.js'
import { limits } from '../limits.js'
import { type ChannelObject, channelObjectSchema } from './channel.js'
import type { DeepReadonly } from './deep-readonly.js'

const resolvedNames = [
  'desktop_notifications',
  'email_notifications',
  'push_notifications',
  'audible_notifications',
] as const

/** The notification settings of channels whose null older clients do not know; they get the user's setting for all channels instead. */
export type ResolvedNotification = (typeof resolvedNames)[number]

/** The values that a null means. */
export type InheritedNotifications = Record<ResolvedNotification, boolean>

/** Clients of any age know the null of the last one. */
const notificationNames = [...resolvedNames, 'wildcard_mentions_notify'] as const

/** Null: the user's setting for all channels applies. */
type NotificationSettings = Record<(typeof notificationNames)[number], boolean | null>

/** Fields that only the entries of the user's own subscriptions have. */
export const personalFieldNames = [...notificationNames, 'color', 'is_muted', 'in_home_view', 'pin_to_top'] as const

/** A user's settings for one channel. */
export interface PersonalSettings extends NotificationSettings {
  color: string
  is_muted: boolean
  pin_to_top: boolean
}

/** The subscribers of a channel, for all views. */
export interface SubscriberLists {
  /** Null: the receiver may not see them. */
  subscribers: readonly number[] | null
  /** Bots and recently active users; absent for small channels. */
  partial_subscribers?: readonly number[]
}

export interface SubscriptionEntry {
  channel: ChannelObject
  personal: PersonalSettings
  lists: SubscriberLists
}

/**
 * A channel with the settings of its subscriber (docs/protocol/register.md#channels), in the form of one view.
 * `inherited`: the values that a null means.
 */
export function subscriptionObject(
  { channel, personal, lists }: SubscriptionEntry,
  inherited: InheritedNotifications,
  view: SubscriptionView,
): DeepReadonly<z.output<typeof subscriptionSchema>> {
  return {
    ...channel,
    ...personalFields(personal, inherited, view),
    ...subscriberFields(lists, view.include_subscribers),
  }
}

type SubscriptionView = Pick<View, 'notification_settings_null' | 'include_subscribers'>

/** The receiver's settings; without notification_settings_null the inherited value replaces a null, except that of wildcard_mentions_notify. */
export function personalFields(
  personal: PersonalSettings,
  inherited: InheritedNotifications,
  view: Pick<View, 'notification_settings_null'>,
): PersonalSettings & { in_home_view: boolean } {
  const fields = { ...personal, in_home_view: !personal.is_muted }
  if (view.notification_settings_null) return fields
  for (const name of resolvedNames) fields[name] ??= inherited[name]
  return fields
}

/** `subscribers` or `partial_subscribers`, never both; neither unless the client requested them. */
function subscriberFields(
  lists: SubscriberLists,
  include: View['include_subscribers'],
): { subscribers?: readonly number[]; partial_subscribers?: readonly number[] } {
  if (include === 'false') return {}
  const subscribers = lists.subscribers ?? []
  if (include === 'true' || subscribers.length < limits.partial_subscribers_full_below) return { subscribers }
  return { partial_subscribers: lists.partial_subscribers ?? [] }
}

const switchable = z.boolean().nullable()
export const subscriptionSchema = channelObjectSchema.extend({
  color: z.string(),
  is_muted: z.boolean(),
  in_home_view: z.boolean().describe('Deprecated: the opposite of is_muted.'),
  pin_to_top: z.boolean(),
  desktop_notifications: switchable,
  email_notifications: switchable,
  push_notifications: switchable,
  audible_notifications: switchable,
  wildcard_mentions_notify: switchable,
  subscribers: z.array(z.int()).optional(),
  partial_subscribers: z.array(z.int()).optional(),
})

import type { View } from '../../../shared/capabilities.js'
import { personalFields } from '../../../shared/resources/subscription.js'
import { countTrafficWhenDue } from '../../actions/channels/count-traffic.js'
import type { Ctx } from '../../ctx.js'
import { isLarge, partOfLarge } from '../../lookups/subscriber-lists.js'
import { knowsChannel } from '../../policies/channel-permissions.js'
import { fieldsText } from '../../presenters/channel-fields.js'
import { inheritedNotifications } from '../../presenters/user-settings.js'
import type { ChannelRow } from '../../store/channels.js'
import type { ISql } from '../../store/db.js'
import { personalSettings, type SubscriptionRow, subscriptionsOfUser } from '../../store/subscriptions.js'
import type { UserRow } from '../../store/users.js'
import type { JsonBuffer } from '../json-buffer.js'
import { type ChannelDetails, channelDetails, type Subscribers } from './channel-details.js'
import { channelList } from './channel-list.js'

type ListsView = Pick<View, 'archived_channels' | 'notification_settings_null' | 'include_subscribers'>

/** Each list as a JSON array in UTF-8. */
export interface SubscriptionLists {
  readonly subscriptions: Uint8Array
  /** Channels that the user was subscribed to and may still know of. */
  readonly unsubscribed: Uint8Array
  /** Channels that the user may know of and was never subscribed to. */
  readonly never_subscribed: Uint8Array
}

/** The channels that a user may know of, ids ascending, with their details and the user's subscriptions. */
export interface KnownChannels {
  readonly channels: readonly ChannelRow[]
  readonly details: ReadonlyMap<number, ChannelDetails>
  readonly rows: ReadonlyMap<number, SubscriptionRow>
}

/** The number of queries does not depend on the number of channels. */
export async function knownChannels(
  ctx: Ctx,
  sql: ISql,
  user: UserRow,
  view: Pick<View, 'archived_channels'>,
  which: 'all' | 'subscriptions' = 'all',
): Promise<KnownChannels> {
  const { directory } = ctx
  const remembered = (await subscriptionsOfUser(sql, user.id)).filter(row => !row.is_forgotten)
  const rows = new Map(remembered.map(row => [row.channel_id, row]))
  const candidates =
    which === 'all'
      ? [...directory.channels.values()]
      : [...rows.keys()].flatMap(id => directory.channels.get(id) ?? [])
  const channels = candidates
    .filter(channel => view.archived_channels || !channel.is_archived)
    .filter(channel => knowsChannel(directory, user, channel, rows.get(channel.id)?.is_active ?? false))
    .sort((a, b) => a.id - b.id)
  const [details] = await Promise.all([
    channelDetails(
      ctx,
      sql,
      channels.map(channel => channel.id),
    ),
    countTrafficWhenDue(ctx, sql),
  ])
  return { channels, details, rows }
}

/** Divides the channels by the user's subscription. */
export async function subscriptionLists(
  ctx: Ctx,
  sql: ISql,
  user: UserRow,
  view: ListsView,
  { channels, details, rows }: KnownChannels,
): Promise<SubscriptionLists> {
  const addSubscribers = await subscribersWriter(ctx, sql, details, view.include_subscribers)
  const inherited = inheritedNotifications(user)
  const list = (belongs: (row: SubscriptionRow | undefined) => boolean) =>
    channelList(
      ctx,
      channels.filter(channel => belongs(rows.get(channel.id))),
      details,
      (json, channel) => {
        const row = rows.get(channel.id)
        if (row) json.text(`,${fieldsText(personalFields(personalSettings(row), inherited, view))}`)
        const subscribers = details.get(channel.id)?.subscribers
        if (subscribers) addSubscribers(json, subscribers)
      },
    )
  return {
    subscriptions: list(row => row?.is_active === true),
    unsubscribed: list(row => row?.is_active === false),
    never_subscribed: list(row => row === undefined),
  }
}

/** Returns a function that adds `subscribers` or `partial_subscribers` if the client requested them. */
async function subscribersWriter(
  ctx: Ctx,
  sql: ISql,
  details: ReadonlyMap<number, ChannelDetails>,
  include: View['include_subscribers'],
): Promise<(json: JsonBuffer, subscribers: Subscribers) => void> {
  if (include === 'false') return () => {}
  const addAll = (json: JsonBuffer, subscribers: Subscribers): void => {
    json.text(',"subscribers":').bytes(subscribers.bytes())
  }
  if (include !== 'partial') return addAll
  const sizes = [...details.values()].map(({ subscribers }) => subscribers.ids.length)
  const isShown = await partOfLarge(ctx, sql, sizes)
  return (json, subscribers) => {
    if (isLarge(subscribers.ids.length)) json.text(`,"partial_subscribers":[${subscribers.ids.filter(isShown).join()}]`)
    else addAll(json, subscribers)
  }
}

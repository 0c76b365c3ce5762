import type { View } from '../../../shared/capabilities.js'
import { personalFields } from '../../../shared/resources/subscription.js'
import type { Ctx } from '../../ctx.js'
import { isLarge, partOfLarge } from '../../lookups/subscriber-lists.js'
import type { ChannelDetails } from '../../memory/channel-details.js'
import type { ActiveSubscribers } from '../../memory/channel-subscribers.js'
import type { Directory } from '../../memory/directory.js'
import { knowsChannel } from '../../policies/channel-permissions.js'
import { fieldsText } from '../../presenters/channel-fields.js'
import { inheritedNotifications } from '../../presenters/user-settings.js'
import type { ChannelRow } from '../../store/channels/channels.js'
import { personalSettings, type SubscriptionRow } from '../../store/channels/subscriptions.js'
import type { ISql } from '../../store/driver/db.js'
import type { UserRow } from '../../store/users/users.js'
import type { JsonBuffer } from '../json-buffer.js'
import { channelDetails } from './channel-details.js'
import { channelList } from './channel-list.js'

type ListsView = Pick<View, 'archived_channels' | 'notification_settings_null' | 'include_subscribers'>

/** Lists of the channels that a user may know of, by the user's subscription. */
type SubscriptionList = 'subscriptions' | 'unsubscribed' | 'never_subscribed'

/** The channels that a user may know of, ids ascending, with their details and the user's subscriptions. */
export interface KnownChannels {
  readonly channels: readonly ChannelRow[]
  readonly details: ReadonlyMap<number, ChannelDetails>
  readonly rows: ReadonlyMap<number, SubscriptionRow>
}

/**
 * The number of queries does not depend on the number of channels.
 * @param listsVersion the version that `ChannelLists` needs
 */
export async function knownChannels(
  ctx: Ctx,
  sql: ISql,
  user: UserRow,
  {
    listsVersion,
    view,
    which = 'all',
  }: {
    readonly listsVersion: number
    readonly view: Pick<View, 'archived_channels'>
    readonly which?: 'all' | 'subscriptions'
  },
): Promise<KnownChannels> {
  const { directory } = ctx
  const subscriptions = await ctx.memory.channelLists.subscriptionsOf(sql, listsVersion, user.id)
  const rows = new Map<number, SubscriptionRow>()
  for (const row of subscriptions)
    if (which === 'all' ? !row.is_forgotten : row.is_active) rows.set(row.channel_id, row)
  const channels = directory
    .derived(channelsById)
    .filter(
      channel =>
        (which === 'all' || rows.has(channel.id)) &&
        (view.archived_channels || !channel.is_archived) &&
        knowsChannel(directory, user, channel, rows.get(channel.id)?.is_active ?? false),
    )
  const details = await channelDetails(ctx, sql, listsVersion, channels)
  return { channels, details, rows }
}

/** All channels, ids ascending. */
export const channelsById = ({ channels }: Directory): ChannelRow[] =>
  [...channels.values()].sort((a, b) => a.id - b.id)

/** Returns a function that encodes one of the lists as a JSON array in UTF-8. */
export async function listEncoder(
  ctx: Ctx,
  sql: ISql,
  user: UserRow,
  { view, known: { channels, details, rows } }: { readonly view: ListsView; readonly known: KnownChannels },
): Promise<(list: SubscriptionList) => Uint8Array> {
  const addSubscribers = await subscribersWriter(ctx, sql, { channels, details, include: view.include_subscribers })
  const personalOf = personalEncoder(ctx, user, view)
  const addOwn = (json: JsonBuffer, channel: ChannelRow): void => {
    const row = rows.get(channel.id)
    if (row) json.bytes(personalOf(row))
    const subscribers = details.get(channel.id)?.subscribers
    if (subscribers) addSubscribers(json, subscribers)
  }
  return list => {
    const belongs = (channel: ChannelRow): boolean => rows.get(channel.id)?.is_active === isActiveIn[list]
    return channelList(ctx, channels.filter(belongs), details, addOwn)
  }
}

const isActiveIn = { subscriptions: true, unsubscribed: false, never_subscribed: undefined } as const

/** Encodes personal settings with a comma before them, as JSON in UTF-8; once for remembered rows. */
function personalEncoder(
  { directory }: Ctx,
  user: UserRow,
  view: Pick<View, 'notification_settings_null'>,
): (row: SubscriptionRow) => Uint8Array {
  const inherited = inheritedNotifications(user)
  const withNull = view.notification_settings_null
  return row => {
    const known = directory.ofRows.of(row, newPersonal)
    if (known.last?.user === user && known.last.withNull === withNull) return known.last.bytes
    const bytes = Buffer.from(`,${fieldsText(personalFields(personalSettings(row), inherited, view))}`)
    known.last = { user, withNull, bytes }
    return bytes
  }
}

const newPersonal = (): { last?: { user: UserRow; withNull: boolean; bytes: Uint8Array } } => ({})

/** Returns a function that adds `subscribers` or `partial_subscribers` if the client requested them. */
async function subscribersWriter(
  ctx: Ctx,
  sql: ISql,
  {
    channels,
    details,
    include,
  }: {
    readonly channels: readonly ChannelRow[]
    readonly details: ReadonlyMap<number, ChannelDetails>
    readonly include: View['include_subscribers']
  },
): Promise<(json: JsonBuffer, subscribers: ActiveSubscribers) => void> {
  if (include === 'false') return () => {}
  const addAll = (json: JsonBuffer, subscribers: ActiveSubscribers): void => {
    json.text(',"subscribers":').bytes(subscribers.bytes())
  }
  if (include !== 'partial') return addAll
  const sizes = channels.map(({ id }) => details.get(id)?.subscribers.ids.length ?? 0)
  const isShown = await partOfLarge(ctx, sql, sizes)
  return (json, subscribers) => {
    if (isLarge(subscribers.ids.length)) json.text(`,"partial_subscribers":[${subscribers.ids.filter(isShown).join()}]`)
    else addAll(json, subscribers)
  }
}

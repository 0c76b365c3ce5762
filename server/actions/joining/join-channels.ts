import type { Ctx } from '../../ctx.js'
import { isSubscribed, type Subscribers, subscribersOf, withJoined } from '../../lookups/hold-subscribers.js'
import type { Directory } from '../../memory/directory.js'
import { maySubscribe } from '../../policies/channel-permissions.js'
import { defaultChannels } from '../../policies/default-channels.js'
import type { Emit } from '../../realtime/emission.js'
import { type ChannelRow, lockChannels } from '../../store/channels/channels.js'
import { giveNewest } from '../../store/channels/history.js'
import type { Tx } from '../../store/driver/db.js'
import type { UserRow } from '../../store/users/users.js'
import { announceSubscriptions } from '../announce/subscriptions.js'
import { addSubscriptions } from '../channels/subscribe.js'

// Messages of the time before that a new user has not read.
const unreadFromBefore = 20

/** The channels of a new user. */
export interface FirstChannels {
  readonly withDefaults: boolean
  /** Further ones, in the name of `inviter`. Those that are archived, or that the inviter can no longer read, are left out. */
  readonly ids: readonly number[]
  /** Absent: the user chose public channels. */
  readonly inviter?: UserRow | undefined
}

interface Newcomer {
  readonly user: UserRow
  /** The directory with the user. */
  readonly after: Directory
  readonly first: FirstChannels
}

/** Subscribes a new user to its first channels, with the newest messages there as unread ones. The transaction holds the organization. */
export async function joinChannels(tx: Tx, emit: Emit, ctx: Ctx, { user, after, first }: Newcomer): Promise<void> {
  const ids = [...new Set([...(first.withDefaults ? defaultChannels(after) : []), ...first.ids])]
  const wanted = ids.flatMap(id => after.channels.get(id) ?? []).filter(channel => !channel.is_archived)
  if (wanted.length === 0) return
  const held = await lockChannels(
    tx,
    wanted.map(channel => channel.id),
  )
  const before = await subscribersOf(ctx, tx, held)
  const channels = wanted.filter(channel => isOpen(after, channel, before, first.inviter))
  const stored = await addSubscriptions(tx, [user], channels)
  const shown = channels.filter(channel => channel.history_public_to_subscribers).map(channel => channel.id)
  if (shown.length > 0) await giveNewest(tx, user.id, shown, unreadFromBefore)
  const subscribers = withJoined(before, stored.rows)
  await announceSubscriptions(tx, emit, ctx, {
    change: { created: [], channels, stored, subscribers },
    directory: after,
  })
}

const isOpen = (directory: Directory, channel: ChannelRow, held: Subscribers, inviter: UserRow | undefined): boolean =>
  !channel.invite_only ||
  (inviter !== undefined && maySubscribe(directory, inviter, channel, isSubscribed(held, channel.id, inviter.id)))

import { countTrafficWhenDue } from '../../actions/channels/count-traffic.js'
import type { Ctx } from '../../ctx.js'
import { channelFields } from '../../presenters/channel-fields.js'
import { inactiveUsers } from '../../presenters/inactive-users.js'
import { type StoredFacts, uncountedFacts } from '../../store/channels/channel-facts.js'
import type { ChannelLists } from '../../store/channels/channel-lists.js'
import type { ChannelRow } from '../../store/channels/channels.js'
import type { Directory } from '../../store/directory/directory.js'
import type { ISql } from '../../store/driver/db.js'

/** A channel's active subscribers. */
export interface Subscribers {
  /** Ids, ascending. */
  readonly ids: Int32Array
  /** The ids as a JSON array in UTF-8. */
  bytes(): Uint8Array
}

export interface ChannelDetails {
  readonly subscribers: Subscribers
  /** As `channelFields`. */
  readonly fields: Uint8Array
}

/** Details that are the same for each request as long as the directory and the lists of channels are. */
interface Remembered {
  readonly generation: number
  readonly listsVersion: number
  /** In ms since the epoch: later, a channel may count as no longer active, or its traffic may be another one. */
  readonly until: number
  readonly byChannel: Map<number, ChannelDetails>
}

const rememberedForMs = 60_000
// A cache of derived values.
const lastOf = new WeakMap<ChannelLists, Remembered>()

/**
 * Details of many channels, and maybe of others, from this worker's memory as far as they have not changed; so a transaction that changes
 * subscriptions must not use this.
 * @param listsVersion the version that `ChannelLists` needs
 */
export async function channelDetails(
  ctx: Ctx,
  sql: ISql,
  listsVersion: number,
  channels: readonly ChannelRow[],
): Promise<ReadonlyMap<number, ChannelDetails>> {
  const known = remembered(ctx, listsVersion).byChannel
  const unknown = channels.filter(channel => !known.has(channel.id)).map(channel => channel.id)
  if (unknown.length === 0) return known
  const stored = await ctx.channelLists.factsOf(sql, listsVersion, unknown)
  if (stored[0]) countTrafficWhenDue(ctx, stored[0].counted_at)
  const rows = await uncountedFacts(sql, stored, ctx.activeChannels)
  const lists = await ctx.subscribers.read(sql, new Map(rows.map(row => [row.id, row.subscribers_version])))
  const found = new Map(known)
  const { byChannel } = remembered(ctx, listsVersion)
  rows.forEach(({ id, subscribers_version: _, ...facts }, i) => {
    const channel = ctx.directory.channels.get(id)
    if (!channel) return
    const subscribers = activeAmong(ctx.directory, lists.get(id) ?? noUsers)
    const subscriber_count = subscribers.ids.length
    const details = { subscribers, fields: channelFields(ctx.directory, channel, { ...facts, subscriber_count }) }
    found.set(id, details)
    const { has_stored_first, lists_version } = stored[i] as StoredFacts
    // A message may give a channel its first one, or make it active.
    const isLasting = has_stored_first && facts.is_recently_active && lists_version === listsVersion
    if (isLasting) byChannel.set(id, details)
  })
  return found
}

function remembered({ channelLists, directory, clock }: Ctx, listsVersion: number): Remembered {
  const { generation } = directory
  const now = clock.now()
  const last = lastOf.get(channelLists)
  if (last?.generation === generation && last.listsVersion === listsVersion && now < last.until) return last
  const next = { generation, listsVersion, until: now + rememberedForMs, byChannel: new Map() }
  lastOf.set(channelLists, next)
  return next
}

const noUsers = new Int32Array()

/** The list without deactivated users; computed once per list, until a user is deactivated or reactivated. */
function activeAmong(directory: Directory, list: Int32Array): Subscribers {
  const inactive = inactiveUsers(directory)
  const known = activeLists.get(list)
  if (known?.without === inactive) return known.active
  const active = new ActiveSubscribers(list.filter(id => !inactive.has(id)))
  activeLists.set(list, { without: inactive, active })
  return active
}

// A cache of derived values: lists are immutable, so an entry never becomes wrong.
const activeLists = new WeakMap<Int32Array, { without: ReadonlySet<number>; active: Subscribers }>()

class ActiveSubscribers implements Subscribers {
  private encoded: Uint8Array | undefined

  constructor(readonly ids: Int32Array) {}

  bytes(): Uint8Array {
    this.encoded ??= Buffer.from(`[${this.ids.join()}]`)
    return this.encoded
  }
}

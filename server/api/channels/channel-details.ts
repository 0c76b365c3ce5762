import type { Ctx } from '../../ctx.js'
import { inactiveUsers } from '../../presenters/inactive-users.js'
import { type ChannelFacts, uncountedFacts } from '../../store/channel-facts.js'
import type { ISql } from '../../store/db.js'
import type { Directory } from '../../store/directory.js'

/** A channel's active subscribers. */
export interface Subscribers {
  /** Ids, ascending. */
  readonly ids: Int32Array
  /** The ids as a JSON array in UTF-8. */
  bytes(): Uint8Array
}

export interface ChannelDetails {
  readonly facts: ChannelFacts
  readonly subscribers: Subscribers
}

/**
 * Facts and subscribers of many channels. Subscriber lists whose version has not changed come from this worker's cache, so a transaction
 * that changes subscriptions must not use this.
 */
export async function channelDetails(
  ctx: Ctx,
  sql: ISql,
  channelIds: readonly number[],
): Promise<Map<number, ChannelDetails>> {
  const rows = await uncountedFacts(sql, channelIds, ctx.activeChannels)
  const lists = await ctx.subscribers.read(sql, new Map(rows.map(row => [row.id, row.subscribers_version])))
  return new Map(
    rows.map(({ id, first_message_id, is_recently_active, stream_weekly_traffic }) => {
      const subscribers = activeAmong(ctx.directory, lists.get(id) ?? noUsers)
      const subscriber_count = subscribers.ids.length
      return [
        id,
        { facts: { first_message_id, is_recently_active, stream_weekly_traffic, subscriber_count }, subscribers },
      ]
    }),
  )
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

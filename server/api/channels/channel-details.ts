import type { Ctx } from '../../ctx.js'
import type { ChannelDetails } from '../../memory/channel-details.js'
import { channelFields } from '../../presenters/channel-fields.js'
import { type StoredFacts, uncountedFacts } from '../../store/channels/channel-facts.js'
import type { ChannelRow } from '../../store/channels/channels.js'
import type { ISql } from '../../store/driver/db.js'

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
  const known = remembered(ctx, listsVersion)
  const unknown = channels.filter(channel => !known.has(channel.id)).map(channel => channel.id)
  if (unknown.length === 0) return known
  const stored = await ctx.memory.channelLists.factsOf(sql, listsVersion, unknown)
  const rows = await uncountedFacts(sql, stored, ctx.memory.activeChannels)
  const lists = await ctx.memory.subscribers.read(sql, new Map(rows.map(row => [row.id, row.subscribers_version])))
  const found = new Map(known)
  const byChannel = remembered(ctx, listsVersion)
  rows.forEach(({ id, subscribers_version: _, ...facts }, i) => {
    const channel = ctx.directory.channels.get(id)
    const subscribers = lists.get(id)
    if (!channel || !subscribers) return
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

const remembered = ({ memory, directory, clock }: Ctx, listsVersion: number): Map<number, ChannelDetails> =>
  memory.channelDetails.at(directory.generation, listsVersion, clock.now())

import type { Tx } from '../store/db.js'
import type { Directory } from '../store/directory.js'
import { subscribersOfChannels } from '../store/subscriptions.js'
import { type ChannelTraits, knowsChannel } from './channel-permissions.js'
import { activeUsers } from './users.js'

/**
 * Active users who may know the channel, ascending: whom its stream and peer events are for. Exact when the transaction
 * holds the channel's row or the organization.
 */
export async function audienceOfChannelMetadata(
  tx: Tx,
  directory: Directory,
  channel: ChannelTraits & { readonly id: number },
): Promise<number[]> {
  const subscribers = await subscribersOfChannels(tx, [channel.id])
  return audienceAmong(directory, channel, new Set(subscribers.get(channel.id)))
}

/** The same for many channels, in one query. */
export async function audiencesOfChannels(
  tx: Tx,
  directory: Directory,
  channels: readonly (ChannelTraits & { readonly id: number })[],
): Promise<Map<number, number[]>> {
  const subscribers = await subscribersOfChannels(
    tx,
    channels.map(channel => channel.id),
  )
  return new Map(
    channels.map(channel => [channel.id, audienceAmong(directory, channel, new Set(subscribers.get(channel.id)))]),
  )
}

/** The audience when the channel's subscribers are known already. */
export function audienceAmong(
  directory: Directory,
  channel: ChannelTraits,
  subscribers: ReadonlySet<number>,
): number[] {
  const audience: number[] = []
  for (const id of directory.derived(activeUsers)) {
    const user = directory.users.get(id)
    if (user && knowsChannel(directory, user, channel, subscribers.has(id))) audience.push(id)
  }
  return audience
}

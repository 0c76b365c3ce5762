import type { Directory } from '../../memory/directory.js'
import { Audiences, audienceAmong } from '../../policies/channel-audience.js'
import type { ChannelTraits } from '../../policies/channel-permissions.js'
import { subscribersOfChannels } from '../../store/channels/subscriptions.js'
import type { Tx } from '../../store/driver/db.js'

/**
 * Ids of active users who may know the channel, ascending: the audience of its stream and peer events. Exact when the transaction holds the
 * channel's row or the organization.
 */
export async function audienceOfChannelMetadata(
  tx: Tx,
  directory: Directory,
  channel: ChannelTraits & { readonly id: number },
): Promise<readonly number[]> {
  const subscribers = await subscribersOfChannels(tx, [channel.id])
  return audienceAmong(directory, channel, subscribers.get(channel.id) ?? [])
}

/** audienceOfChannelMetadata for many channels, in one query. */
export async function audiencesOfChannels(
  tx: Tx,
  directory: Directory,
  channels: readonly (ChannelTraits & { readonly id: number })[],
): Promise<Map<number, readonly number[]>> {
  const subscribers = await subscribersOfChannels(
    tx,
    channels.map(channel => channel.id),
  )
  const audiences = new Audiences(directory)
  return new Map(channels.map(channel => [channel.id, audiences.of(channel, subscribers.get(channel.id) ?? [])]))
}

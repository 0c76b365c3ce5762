import { defaultStreamGroups } from '../../../shared/events/default-stream-groups.js'
import { defaultStreams } from '../../../shared/events/default-streams.js'
import { streamDelete } from '../../../shared/events/stream.js'
import { subscriptionRemove } from '../../../shared/events/subscription.js'
import type { Directory } from '../../memory/directory.js'
import { audienceAmong } from '../../policies/channel-audience.js'
import { audienceOfDefaultChannels, defaultChannels } from '../../policies/default-channels.js'
import type { Emit } from '../../realtime/emission.js'
import type { ChannelRow } from '../../store/channels/channels.js'
import { leaveDefaultChannelGroups, readDefaultChannelGroups } from '../../store/channels/default-channel-groups.js'
import type { Tx } from '../../store/driver/db.js'

interface Removed {
  readonly channel: ChannelRow
  /** Active subscribers, ascending. */
  readonly subscribers: readonly number[]
}

/** Emits the events of a channel that the transaction has deleted. `directory`: before. */
export async function announceRemovedChannel(
  tx: Tx,
  emit: Emit,
  directory: Directory,
  { channel, subscribers }: Removed,
): Promise<void> {
  const { id, name } = channel
  emit(subscriptionRemove, { subscriptions: [{ stream_id: id, name }] }, subscribers)
  emit(streamDelete, { stream_ids: [id] }, audienceAmong(directory, channel, subscribers))
  if (channel.is_default) {
    const default_streams = defaultChannels(directory).filter(one => one !== id)
    emit(defaultStreams, { default_streams }, audienceOfDefaultChannels(directory))
  }
  if (await leaveDefaultChannelGroups(tx, id)) {
    const default_stream_groups = await readDefaultChannelGroups(tx)
    emit(defaultStreamGroups, { default_stream_groups }, audienceOfDefaultChannels(directory))
  }
}

import type { Directory } from '../memory/directory.js'
import type { ChannelRow } from '../store/channels/channels.js'
import type { PlacedMessage } from '../store/messages/message-rows.js'
import type { UserRow } from '../store/users/users.js'
import { mayReadChannel } from './channel-permissions.js'

/** A caller who reads messages, and the channels that it may read. Null user: a spectator. */
export interface Reader {
  readonly user: UserRow | null
  /** Id of the user; 0 for a spectator. */
  readonly userId: number
  readonly subscribed: ReadonlySet<number>
  readonly muted: ReadonlySet<number>
  /** Channels in which the reader may read at least the messages that it received. */
  readonly receivable: readonly number[]
}

/** Whether the reader may read every message of the channel, those from before its subscription included. */
export function readsWholeHistory(directory: Directory, reader: Reader, channel: ChannelRow): boolean {
  return (
    channel.history_public_to_subscribers &&
    mayReadChannel(directory, reader.user, channel, reader.subscribed.has(channel.id))
  )
}

/** Ids of all channels whose whole history the reader may read. */
export function openChannels(directory: Directory, reader: Reader): number[] {
  const open = [...directory.channels.values()].filter(channel => readsWholeHistory(directory, reader, channel))
  return open.map(channel => channel.id)
}

// I2: decides which messages an answer shows.
/** Whether the user may read a message that `placedMessages`, `seenMessages` or `openMessage` returned for that user. */
export function mayReadMessage(
  directory: Directory,
  user: UserRow | null,
  message: Pick<PlacedMessage, 'channel_id' | 'is_received' | 'is_subscribed'>,
): boolean {
  if (message.channel_id === null) return message.is_received
  const channel = directory.channels.get(message.channel_id)
  if (!channel || !mayReadChannel(directory, user, channel, message.is_subscribed)) return false
  return channel.history_public_to_subscribers || message.is_received
}

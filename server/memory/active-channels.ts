import { LRUCache } from 'lru-cache'

// An entry takes about 100 bytes.
const mostChannels = 100_000
const activeMs = 180 * 86_400_000

interface Active {
  /** channel_changes.version at which the channel had the message. */
  readonly version: number
  /** When the message is too old, in ms since the epoch. */
  readonly until: number
}

/**
 * Channels with a message that is recent enough for `is_recently_active`, so that the newest message need not be looked up.
 *
 * Source: the newest message of a channel.
 * Version: `channel_changes.version`: a move and a deletion make a new one. It also ends with the time of the message.
 * Bound: 100,000 channels.
 * Dropped: the least recently used.
 */
export class ActiveChannels {
  // Not `max`, for which the cache would take the room of all entries at once.
  private readonly known = new LRUCache<number, Active>({ maxSize: mostChannels, sizeCalculation: () => 1 })

  /** Whether the channel, at this version, is known to have such a message. */
  has(channelId: number, version: number, now: Date): boolean {
    const active = this.known.get(channelId)
    return active?.version === version && active.until > now.getTime()
  }

  /** The channel had a message of this time at this version. */
  note(channelId: number, version: number, sent: Date): void {
    this.known.set(channelId, { version, until: sent.getTime() + activeMs })
  }
}

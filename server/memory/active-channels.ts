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
 * Channels with a message that is recent enough for `is_recently_active`. It stays in its channel as long as the version of the channel
 * (channel_changes) is the same, because moves and deletions make a new one; so the newest message need not be looked up.
 */
export class ActiveChannels {
  private readonly known = new LRUCache<number, Active>({ max: mostChannels })

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

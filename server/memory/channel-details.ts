import type { ActiveSubscribers } from './channel-subscribers.js'

const rememberedForMs = 60_000

/** What lists of channels show of a channel to each user who may know it. */
export interface ChannelDetails {
  readonly subscribers: ActiveSubscribers
  /** As `channelFields` (presenters/channel-fields.ts). */
  readonly fields: Uint8Array
}

/**
 * Details of channels, as lists show them.
 *
 * Source: the directory, `ChannelLists` and `ChannelSubscribers`.
 * Version: the generation of the directory, and the version of lists of channels.
 * Bound: the number of channels.
 * Dropped: all, by another version, or after a minute: later, a channel may count as no longer active, or its traffic may be another one.
 */
export class ChannelDetailsMemory {
  private generation = -1
  private listsVersion = -1
  private until = 0
  private byChannel = new Map<number, ChannelDetails>()

  /** The details of these versions; the caller adds others. `now`: in ms since the epoch. */
  at(generation: number, listsVersion: number, now: number): Map<number, ChannelDetails> {
    if (this.generation !== generation || this.listsVersion !== listsVersion || now >= this.until) {
      Object.assign(this, { generation, listsVersion, until: now + rememberedForMs, byChannel: new Map() })
    }
    return this.byChannel
  }
}

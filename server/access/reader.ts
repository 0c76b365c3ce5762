import type { Ctx } from '../ctx.js'
import type { ChannelRow } from '../store/channels.js'
import type { ISql } from '../store/db.js'
import type { Directory } from '../store/directory.js'
import type { PlacedMessage } from '../store/message-rows.js'
import { ownSubscriptions } from '../store/received.js'
import type { UserRow } from '../store/users.js'
import type { Actor } from './actor.js'
import { mayReadChannel } from './channels.js'

/** A caller who reads messages, and the channels that it may read. Null user: a visitor without an account. */
export interface Reader {
  readonly user: UserRow | null
  /** Id of the user; 0 for a visitor. */
  readonly userId: number
  readonly subscribed: ReadonlySet<number>
  readonly muted: ReadonlySet<number>
  /** Channels in which the reader may read at least the messages that it received. */
  readonly receivable: readonly number[]
}

/** Reads subscriptions from the database, not from a cache: a former subscriber loses access at once. */
export async function readerOf(ctx: Ctx, sql: ISql, actor: Actor | null): Promise<Reader> {
  const [subscriptions] = await Promise.all([
    actor ? ownSubscriptions(sql, actor.user.id) : [],
    sql === ctx.sql ? ctx.directory.fresh() : undefined,
  ])
  const user = actor ? (ctx.directory.users.get(actor.user.id) ?? actor.user) : null
  const receivable = subscriptions.filter(({ channel_id, is_active }) => {
    const channel = ctx.directory.channels.get(channel_id)
    return channel && mayReadChannel(ctx.directory, user, channel, is_active)
  })
  const active = subscriptions.filter(one => one.is_active)
  return {
    user,
    userId: user?.id ?? 0,
    subscribed: new Set(active.map(one => one.channel_id)),
    muted: new Set(active.filter(one => one.is_muted).map(one => one.channel_id)),
    receivable: receivable.map(one => one.channel_id),
  }
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
/** Whether the user may read a message that `placedMessages` or `seenMessages` returned for that user. */
export function mayReadMessage(directory: Directory, user: UserRow | null, message: PlacedMessage): boolean {
  if (message.channel_id === null) return message.is_received
  const channel = directory.channels.get(message.channel_id)
  if (!channel || !mayReadChannel(directory, user, channel, message.is_subscribed)) return false
  return channel.history_public_to_subscribers || message.is_received
}

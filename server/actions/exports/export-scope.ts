import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Ctx } from '../../ctx.js'
import { mayReadChannel } from '../../policies/channel-permissions.js'
import { ownSubscriptions } from '../../store/channels/received.js'
import { type ExportScope, receivedSpans } from '../../store/exports/export-scope.js'
import type { ExportRow } from '../../store/exports/exports.js'

/** What an export contains, by the channels and permissions of this moment. */
export async function scopeOf(ctx: Ctx, row: ExportRow, cut: number): Promise<ExportScope> {
  await ctx.directory.fresh()
  const { kind, consenting, since, user_id } = row
  if (user_id !== null) return personScope(ctx, user_id, cut)
  if (kind === 'full_without_consent') return { channels: null, received: [], accounts: null, person: null, since, cut }
  const accounts = consenting ?? []
  const open = [...ctx.directory.channels.values()].flatMap(({ id, invite_only }) => (invite_only ? [] : [id]))
  const { whole, pairs } = await privateChannels(ctx, accounts)
  const partial = pairs.filter(([, channelId]) => !whole.has(channelId))
  const received = partial.length === 0 ? [] : await receivedSpans(ctx.sql, partial)
  return { channels: [...open, ...whole].sort((a, b) => a - b), received, accounts, person: null, since, cut }
}

/** Of one person its own messages and its direct messages, with names of the channels that it may read. */
async function personScope({ sql, directory }: Ctx, id: number, cut: number): Promise<ExportScope> {
  const user = directory.users.get(id)
  if (!user) throw new Error('an export of a person has no account')
  const subscribed = new Set((await ownSubscriptions(sql, [id])).get(id)?.active)
  // A person whose account is deactivated has the right to its data, too.
  const reader = { ...user, is_active: true }
  const readable = [...directory.channels.values()].filter(channel =>
    mayReadChannel(directory, reader, channel, subscribed.has(channel.id)),
  )
  const person = { id, channels: readable.map(channel => channel.id) }
  return { channels: [], received: [], accounts: [id], person, since: 0, cut }
}

// I2: of a private channel an export contains what one of the consenting people may read.
/** Private channels of which one of these people may read the whole history, and those of which one may read what it received. */
async function privateChannels(
  { sql, directory }: Ctx,
  userIds: readonly number[],
): Promise<{ whole: Set<number>; pairs: [userId: number, channelId: number][] }> {
  const channels = [...directory.channels.values()].filter(channel => channel.invite_only)
  const [whole, pairs]: [Set<number>, [number, number][]] = [new Set(), []]
  if (userIds.length === 0 || channels.length === 0) return { whole, pairs }
  const subscriptions = await ownSubscriptions(sql, userIds)
  for (const userId of userIds) {
    await nextTurn()
    const user = directory.users.get(userId)
    if (!user) continue
    const subscribed = new Set(subscriptions.get(userId)?.active)
    for (const channel of channels) {
      if (!mayReadChannel(directory, user, channel, subscribed.has(channel.id))) continue
      if (channel.history_public_to_subscribers) whole.add(channel.id)
      else pairs.push([userId, channel.id])
    }
  }
  return { whole, pairs }
}

import { badRequest } from '../../../shared/errors.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { currentUser } from '../../lookups/find-user.js'
import { knowsChannel, mayUnsubscribe } from '../../policies/channel-permissions.js'
import type { Emit } from '../../realtime/emission.js'
import { bumpSubscribersVersions, type ChannelRow, lockChannels } from '../../store/channels/channels.js'
import { endSubscriptions, subscribedAmong } from '../../store/channels/subscriptions.js'
import type { Tx } from '../../store/driver/db.js'
import type { UserRow } from '../../store/users/users.js'
import { announceUnsubscriptions } from '../announce/unsubscriptions.js'
import { markLeftRead } from './mark-left-read.js'
import { type Principals, requireFewPairs, resolvePrincipals } from './principals.js'

export interface UnsubscribeResult {
  readonly users: readonly UserRow[]
  readonly channels: readonly ChannelRow[]
  readonly removed: readonly { user_id: number; channel_id: number }[]
  /** Resolves when the users' unread messages in these channels are marked as read. */
  readonly read: Promise<void>
}

/** Ends subscriptions of the caller, its bots, or other users that it may unsubscribe; all or nothing. */
export async function unsubscribe(
  ctx: Ctx,
  actor: Actor,
  names: readonly string[],
  principals: Principals,
): Promise<UnsubscribeResult> {
  requireFewPairs(names.length, principals)
  const { directory } = ctx
  const result = await ctx.write(async (tx, emit) => {
    await directory.hold(tx, 'share')
    return unsubscribeWithin(tx, emit, ctx, { actor, names, principals })
  })
  return { ...result, read: markLeftRead(ctx, result.removed) }
}

/** The same in a transaction that holds the organization; the caller then marks what the users left as read. */
export async function unsubscribeWithin(
  tx: Tx,
  emit: Emit,
  ctx: Ctx,
  {
    actor,
    names,
    principals,
  }: { readonly actor: Actor; readonly names: readonly string[]; readonly principals: Principals },
): Promise<Omit<UnsubscribeResult, 'read'>> {
  const { directory } = ctx
  const caller = currentUser(directory, actor.user)
  const { rows: users } = await resolvePrincipals(tx, ctx, caller, principals)
  const channels = await knownChannels(tx, ctx, caller, names)
  const isAllowed = [...channels].every(([channel, subscribed]) =>
    mayUnsubscribe(directory, caller, channel, { users, subscribed }),
  )
  if (!isAllowed) throw badRequest('Insufficient permission')
  const ids = [...channels.keys()].map(channel => channel.id)
  await lockChannels(tx, ids)
  const removed = await endSubscriptions(
    tx,
    users.map(user => user.id),
    ids,
  )
  if (removed.length > 0) {
    await bumpSubscribersVersions(tx, [...new Set(removed.map(row => row.channel_id))])
    await announceUnsubscriptions(tx, emit, ctx, removed)
  }
  return { users, channels: [...channels.keys()], removed }
}

/** The named channels without duplicates, each with whether the caller is subscribed. */
async function knownChannels(
  tx: Tx,
  { directory }: Ctx,
  caller: UserRow,
  names: readonly string[],
): Promise<Map<ChannelRow, boolean>> {
  const found = names.map(name => directory.channelNamed(name))
  const ids = found.flatMap(channel => channel?.id ?? [])
  const rows = await subscribedAmong(tx, [caller.id], ids)
  const subscribed = new Set(rows.map(row => row.channel_id))
  const channels = new Map<ChannelRow, boolean>()
  const unknown: string[] = []
  for (const [i, channel] of found.entries()) {
    if (channel && knowsChannel(directory, caller, channel, subscribed.has(channel.id))) {
      channels.set(channel, subscribed.has(channel.id))
    } else {
      unknown.push(names[i] ?? '')
    }
  }
  if (unknown.length > 0) throw badRequest(`Channel(s) (${unknown.join(', ')}) do not exist`)
  return channels
}

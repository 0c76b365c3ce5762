import { badRequest } from '../../../shared/errors.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { currentUser } from '../../lookups/find-user.js'
import { holdSubscribers, isSubscribed, type Subscribers, withoutLeft } from '../../lookups/hold-subscribers.js'
import type { Directory } from '../../memory/directory.js'
import { knowsChannel, mayUnsubscribe } from '../../policies/channel-permissions.js'
import type { Emit } from '../../realtime/emission.js'
import type { ChannelRow } from '../../store/channels/channels.js'
import { type EndedSubscription, endSubscriptions } from '../../store/channels/subscriptions.js'
import type { Tx } from '../../store/driver/db.js'
import type { UserRow } from '../../store/users/users.js'
import { announceUnsubscriptions } from '../announce/unsubscriptions.js'
import { markLeftRead } from './mark-left-read.js'
import { type Principals, requireFewPairs, resolvePrincipals } from './principals.js'

export interface UnsubscribeResult {
  readonly users: readonly UserRow[]
  readonly channels: readonly ChannelRow[]
  readonly removed: readonly EndedSubscription[]
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
  await directory.fresh()
  const result = await ctx.write(async (tx, emit) => {
    const held = await holdSubscribers(ctx, tx, 'share', () => namedIds(directory, names))
    return unsubscribeWithin(tx, emit, ctx, { actor, held, names, principals })
  })
  return left(ctx, result)
}

/** After the commit of `unsubscribeWithin`: begins to mark the messages of the channels that the users left as read. */
export function left(ctx: Ctx, result: Omit<UnsubscribeResult, 'read'>): UnsubscribeResult {
  ctx.memory.subscribers.left(result.removed)
  return { ...result, read: markLeftRead(ctx, result.removed) }
}

interface Leaving {
  readonly actor: Actor
  readonly held: Subscribers
  readonly names: readonly string[]
  readonly principals: Principals
}

/** As `unsubscribe`, in a transaction that holds the channels. */
export async function unsubscribeWithin(
  tx: Tx,
  emit: Emit,
  ctx: Ctx,
  { actor, held, names, principals }: Leaving,
): Promise<Omit<UnsubscribeResult, 'read'>> {
  const { directory } = ctx
  const caller = currentUser(directory, actor.user)
  const { rows: users } = await resolvePrincipals(tx, ctx, caller, principals)
  const channels = knownChannels(ctx, caller, names, held)
  const isAllowed = [...channels].every(([channel, subscribed]) =>
    mayUnsubscribe(directory, caller, channel, { users, subscribed }),
  )
  if (!isAllowed) throw badRequest('Insufficient permission')
  const hidden = [...channels.keys()].flatMap(channel =>
    users
      .filter(user => !knowsChannel(directory, user, channel, false))
      .map(user => ({ user_id: user.id, channel_id: channel.id })),
  )
  const removed = await endSubscriptions(
    tx,
    users.map(user => user.id),
    [...channels.keys()].map(channel => channel.id),
    hidden,
  )
  if (removed.length > 0) {
    await announceUnsubscriptions(tx, emit, ctx, { removed, hidden, subscribers: withoutLeft(held, removed) })
  }
  return { users, channels: [...channels.keys()], removed }
}

/** Ids of the channels with these names, as far as there are any. */
export const namedIds = (directory: Directory, names: readonly string[]): number[] =>
  names.flatMap(name => directory.channelNamed(name)?.id ?? [])

/** The named channels without duplicates, each with whether the caller is subscribed. */
function knownChannels(
  { directory }: Ctx,
  caller: UserRow,
  names: readonly string[],
  held: Subscribers,
): Map<ChannelRow, boolean> {
  const channels = new Map<ChannelRow, boolean>()
  const unknown: string[] = []
  for (const name of names) {
    const channel = directory.channelNamed(name)
    const subscribed = channel !== undefined && isSubscribed(held, channel.id, caller.id)
    if (channel && knowsChannel(directory, caller, channel, subscribed)) channels.set(channel, subscribed)
    else unknown.push(name)
  }
  if (unknown.length > 0) throw badRequest(`Channel(s) (${unknown.join(', ')}) do not exist`)
  return channels
}

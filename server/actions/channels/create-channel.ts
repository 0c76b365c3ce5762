import { badRequest } from '../../../shared/errors.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { addNotices } from '../../job-types/notice.js'
import { currentUser } from '../../lookups/find-user.js'
import { withJoined } from '../../lookups/hold-subscribers.js'
import { mayAddSubscribers } from '../../policies/channel-permissions.js'
import { announceSubscriptions } from '../announce/subscriptions.js'
import { createChannels, draftChannel, type NewChannelSettings, nameTaken } from './new-channel.js'
import { resolveUsers } from './principals.js'
import { addSubscriptions, type SubscribeResult } from './subscribe.js'
import { subscriptionNotices } from './subscription-notices.js'

interface ChannelRequest {
  readonly name: string
  readonly description: string
  /** Exactly these users are subscribed. */
  readonly subscribers: readonly number[]
  readonly settings: NewChannelSettings
  /** Whether the organization's announcement channel gets a message. */
  readonly announce: boolean
}

/** Creates a channel. @throws {ApiError} CHANNEL_ALREADY_EXISTS */
export async function createChannel(ctx: Ctx, actor: Actor, request: ChannelRequest): Promise<SubscribeResult> {
  const { directory } = ctx
  const { written, ...result } = await ctx.write(async (tx, emit, { after }) => {
    await directory.hold(tx, 'change')
    const caller = currentUser(directory, actor.user)
    // Checked first: callers who may not create channels must not learn the names of private channels.
    const draft = draftChannel(ctx, caller, request, request.settings)
    const { name } = request
    if (directory.channelsByName.has(name.toLowerCase())) throw nameTaken(name)
    const users = await resolveUsers(tx, ctx, caller, request.subscribers)
    if (users.some(user => user.id !== caller.id) && !mayAddSubscribers(directory, caller, draft, true)) {
      throw badRequest('Insufficient permission')
    }
    const { created, written } = await createChannels(tx, directory, [draft])
    const stored = await addSubscriptions(tx, users, created)
    const subscribers = withJoined(new Map(), stored.rows)
    await announceSubscriptions(tx, emit, ctx, { change: { created, channels: created, stored, subscribers } })
    const wanted = { announce: request.announce, toSubscribers: false }
    const added = stored.rows
    addNotices(after, subscriptionNotices(ctx, caller, { created, channels: created, added }, wanted))
    return { users, created, added, channels: created, written }
  })
  directory.adopt(written)
  return { ...result, unauthorized: [], left: null }
}

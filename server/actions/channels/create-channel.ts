import { badRequest } from '../../../shared/errors.js'
import type { Actor } from '../../access/actor.js'
import { mayAddSubscribers } from '../../access/channels.js'
import { currentUser } from '../../access/users.js'
import type { Ctx } from '../../ctx.js'
import { insertSubscriptions } from '../../store/subscriptions.js'
import { announceSubscriptions } from './announce-subscriptions.js'
import { startingColor } from './colors.js'
import { createChannels, draftChannel, type NewChannelSettings, nameTaken } from './new-channel.js'
import { resolveUsers } from './principals.js'
import type { SubscribeResult } from './subscribe.js'

export interface ChannelRequest {
  readonly name: string
  readonly description: string
  /** Nobody is subscribed who is not among them. */
  readonly subscribers: readonly number[]
  readonly settings: NewChannelSettings
}

/** Makes a channel whose name is free. @throws {ApiError} CHANNEL_ALREADY_EXISTS */
export async function createChannel(ctx: Ctx, actor: Actor, request: ChannelRequest): Promise<SubscribeResult> {
  const { directory } = ctx
  return ctx.write(async (tx, emit) => {
    await directory.hold(tx, 'change')
    const caller = currentUser(directory, actor.user)
    // First: who may not make channels must not learn which names private ones have.
    const draft = draftChannel(directory, caller, request, request.settings)
    const { name } = request
    if (directory.channelsByName.has(name.toLowerCase())) throw nameTaken(name)
    const users = await resolveUsers(tx, ctx, caller, request.subscribers)
    if (users.some(user => user.id !== caller.id) && !mayAddSubscribers(directory, caller, draft, true)) {
      throw badRequest('Insufficient permission')
    }
    const created = await createChannels(tx, directory, [draft])
    const added = await insertSubscriptions(
      tx,
      users.map(user => user.id),
      created.map(({ id }) => ({ id, color: startingColor(id) })),
    )
    await announceSubscriptions(tx, emit, ctx, { created, channels: created, added })
    return { users, created, added, channels: created, unauthorized: [] }
  })
}

import { badRequest } from '../../../shared/errors.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { currentUser } from '../../lookups/find-user.js'
import { mayReadChannel } from '../../policies/channel-permissions.js'
import { mayReadMessage } from '../../policies/reading.js'
import type { ISql } from '../../store/driver/db.js'
import { holdsId } from '../../store/driver/id-ranges.js'
import { type OpenedMessage, openMessage } from '../../store/messages/open-message.js'
import type { Parts } from '../../store/organization/outbox.js'
import type { UserRow } from '../../store/users/users.js'

/**
 * A message that the caller may read, read for a change of it; what the caller decides holds if the statement of the change finds the message
 * `stillOpen`. `more`: further columns (store/messages/open-message.ts).
 * @throws {ApiError} BAD_REQUEST, the same for a missing message and for one that the caller may not see
 */
export async function openForChange<More extends object>(
  ctx: Ctx,
  sql: ISql,
  actor: Actor,
  { messageId, more }: { readonly messageId: number; readonly more?: Parts },
): Promise<{ message: OpenedMessage & More; user: UserRow }> {
  const message = await openMessage<More>(sql, actor.user.id, messageId, more)
  const user = currentUser(ctx.directory, actor.user)
  if (!message || !mayReadMessage(ctx.directory, user, message)) throw badRequest('Invalid message(s)')
  return { message, user }
}

/** Ids of all active users who can see the message, ascending: present subscribers from memory, former ones as far as they may still read it. */
export async function audienceOf(ctx: Ctx, sql: ISql, message: OpenedMessage): Promise<readonly number[]> {
  const { directory } = ctx
  const isActive = (id: number) => directory.users.get(id)?.is_active === true
  if (message.channel_id === null) return (message.user_ids ?? []).filter(isActive)
  const channel = directory.channels.get(message.channel_id)
  if (!channel) return []
  const versions = new Map([[channel.id, message.subscribers_version ?? 0]])
  const subscribers = (await ctx.memory.subscribers.read(sql, versions)).get(channel.id)?.list() ?? []
  const isSubscribed = (id: number) => holdsId(subscribers, id)
  const holders = (message.holders ?? []).filter(id => {
    const user = directory.users.get(id)
    return user?.is_active === true && mayReadChannel(directory, user, channel, isSubscribed(id))
  })
  if (!channel.history_public_to_subscribers) return holders
  return holders.length === 0 ? subscribers : [...subscribers, ...holders].sort((a, b) => a - b)
}

import { badRequest } from '../../../shared/errors.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { readableChannel } from '../../lookups/find-channel.js'
import { currentUser } from '../../lookups/find-user.js'
import { accessibleUsers } from '../../lookups/known-users.js'
import { required } from '../../params/conditions.js'
import type { NewDraft } from '../../store/personal/drafts.js'
import { checkContent } from '../../text/content.js'
import { readTopic } from '../messages/recipients.js'

/** A draft as a client gives it; without a timestamp it was edited now. */
export interface GivenDraft {
  readonly type: NewDraft['type']
  readonly to: readonly number[]
  readonly topic: string
  readonly content: string
  readonly timestamp?: number
}

/** The draft as it is stored. @throws {ApiError} BAD_REQUEST */
export async function checkedDraft(ctx: Ctx, actor: Actor, given: GivenDraft): Promise<NewDraft> {
  const content = checkContent(given.content)
  if (!content.ok) throw badRequest('Draft content must not be empty, nor contain null bytes.')
  const timestamp = Math.floor(given.timestamp ?? ctx.clock.now() / 1000)
  const stored = { content: content.text, timestamp }
  if (given.type === 'stream') {
    const channelId = required(given.to[0])
    await readableChannel(ctx, actor, channelId)
    return { ...stored, type: 'stream', to: [channelId], topic: readTopic(ctx, given.topic).text }
  }
  const to = given.type === 'private' ? await others(ctx, actor, given.to) : []
  return { ...stored, type: to.length > 0 ? 'private' : '', to, topic: '' }
}

/** The participants without the caller, except for a conversation with oneself. */
async function others(ctx: Ctx, actor: Actor, userIds: readonly number[]): Promise<number[]> {
  const { directory } = ctx
  await directory.fresh()
  const known = await accessibleUsers(ctx.sql, directory, currentUser(directory, actor.user))
  for (const id of userIds) {
    if (!directory.users.has(id) || (known && !known.has(id))) throw badRequest(`Invalid user ID ${id}`)
  }
  const all = [...new Set(userIds)]
  const others = all.filter(id => id !== actor.user.id)
  return others.length > 0 ? others : all
}

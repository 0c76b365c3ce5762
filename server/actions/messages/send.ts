import { ApiError } from '../../../shared/errors.js'
import type { VisibilityPolicy } from '../../../shared/resources/user-topic.js'
import type { Ctx } from '../../ctx.js'
import type { InsertedMessage } from '../../store/messages.js'
import type { UserRow } from '../../store/users.js'
import { followSent } from '../topics/follow-sent.js'
import { type PreparedMessage, prepareMessage } from './prepare.js'
import type { To } from './recipients.js'

export interface Sending {
  readonly senderId: number
  /** The sending program. */
  readonly client: string
  readonly to: To
  /** As given; the stored form is checked and cut. */
  readonly content: string
  readonly readBySender: boolean
  /** Everybody has read it from the beginning, but for these; ids ascending. */
  readonly readByAllBut?: readonly number[]
  /** The sender's own queue is told the id that its client gave the message. */
  readonly local?: { readonly queueId: string; readonly localId: string }
}

export interface Sent {
  /** The message's id. */
  readonly id: number
  /** What the sender wants of the topic now, where sending changed that. */
  readonly newPolicy: VisibilityPolicy | undefined
}

// Each try lost a race against a change of the organization or of the channel's subscribers, and knows it now.
const tries = 20

/**
 * Sends a message: decided from what this worker remembers, written only if that still holds. So a message costs no query
 * about permissions or subscribers, and its audience is exact all the same.
 */
export async function sendMessage(ctx: Ctx, sending: Sending): Promise<Sent> {
  let isCertain = false
  for (let attempt = 1; ; attempt++) {
    try {
      const message = await prepareMessage(ctx, senderOf(ctx, sending.senderId), sending)
      const inserted = await ctx.messageWriter.write(message)
      if (inserted) return { id: inserted.id, newPolicy: await afterSending(ctx, message, inserted) }
    } catch (error) {
      // A refusal must not come from something outdated.
      if (!(error instanceof ApiError) || isCertain) throw error
      isCertain = true
    }
    if (attempt === tries) throw new ApiError('SERVER_NOT_READY', 'The channel changes too fast: try again')
    await refresh(ctx, sending.to)
  }
}

/** The message is sent, whatever becomes of this. */
async function afterSending(
  ctx: Ctx,
  { wishes }: PreparedMessage,
  { id, isStart }: InsertedMessage,
): Promise<VisibilityPolicy | undefined> {
  if (!wishes) return undefined
  ctx.knownTopics.noteMessages(wishes.topic)
  try {
    return await followSent(ctx, wishes, id, isStart)
  } catch (error) {
    ctx.log.warn(error, 'what people want of a topic was not changed after a message')
    return undefined
  }
}

function senderOf(ctx: Ctx, id: number): UserRow {
  const sender = ctx.directory.users.get(id)
  if (!sender?.is_active) throw new ApiError('UNAUTHORIZED', 'Account is deactivated')
  return sender
}

async function refresh(ctx: Ctx, to: To): Promise<void> {
  await ctx.directory.fresh()
  if (!('channel' in to)) return
  const channel = typeof to.channel === 'number' ? to.channel : ctx.directory.channelNamed(to.channel)?.id
  if (channel !== undefined) ctx.audiences.forget(channel)
}

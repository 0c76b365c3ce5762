import { badRequest } from '../../../shared/errors.js'
import { submessageEvent } from '../../../shared/events/submessage.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { requireUnarchived } from '../../policies/message-edits.js'
import { firstSubmessage, insertSubmessage } from '../../store/messages/submessages.js'
import { checkAct } from '../../text/widgets.js'
import { followReacted } from '../topics/follow-reacted.js'
import { messageAccess, usersOf } from './audience.js'
import { holdMessage } from './hold-message.js'

/**
 * Adds what the caller does to a widget, for example a vote (docs/protocol/widgets.md#acting). Acts on one message follow each other, so that their
 * events have the order of their ids.
 * @throws {ApiError} BAD_REQUEST
 */
export async function actOnWidget(ctx: Ctx, actor: Actor, messageId: number, content: string): Promise<void> {
  await ctx.write(async (tx, emit) => {
    const { message, user } = await holdMessage(ctx, tx, actor, { messageId })
    requireUnarchived(ctx.directory, message)
    const first = message.submessage_bytes > 0 ? await firstSubmessage(tx, messageId) : undefined
    checkAct(first, content, message.sender_id === user.id)
    const row = { message_id: messageId, sender_id: user.id, content }
    const submessage_id = await insertSubmessage(tx, row)
    if (submessage_id === undefined) throw badRequest('This message has too many submessages.')
    const userIds = usersOf(await messageAccess(tx, ctx.directory, message, [messageId]))
    const { channel_id: channelId, topic } = message
    if (channelId !== null) await followReacted(ctx, tx, emit, { user, topic: { channelId, topic } })
    emit(submessageEvent, { ...row, msg_type: 'widget', submessage_id }, userIds)
  })
}

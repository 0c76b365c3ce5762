import { badRequest } from '../../../shared/errors.js'
import { submessageEvent } from '../../../shared/events/submessage.js'
import type { Actor } from '../../auth/actor.js'
import { budgets } from '../../config/budgets.js'
import type { Ctx } from '../../ctx.js'
import { requireUnarchived } from '../../policies/message-edits.js'
import { stillSame } from '../../store/messages/open-message.js'
import { type Acting, acting, insertSubmessage, submessageBytes } from '../../store/messages/submessages.js'
import { checkAct } from '../../text/widgets.js'
import { followReacted, followsReacted } from '../topics/follow-reacted.js'
import { writeAtOnce } from '../write-at-once.js'
import { holdMessage } from './hold-message.js'
import { audienceOf, openForChange } from './open-message.js'

/**
 * Adds what the caller does to a widget, for example a vote (docs/protocol/widgets.md#acting). Acts on one message follow each other, so that their
 * events have the order of their ids.
 * @throws {ApiError} BAD_REQUEST
 */
export async function actOnWidget(ctx: Ctx, actor: Actor, messageId: number, content: string): Promise<void> {
  await writeAtOnce(ctx, {
    hold: tx => holdMessage(ctx, tx, { messageId, lock: 'update' }),
    async prepare(sql, emit, tx) {
      const { message, user } = await openForChange<Acting>(ctx, sql, actor, { messageId, more: acting(sql) })
      requireUnarchived(ctx.directory, message)
      checkAct(message.first_submessage ?? undefined, content, message.sender_id === user.id)
      if (message.submessage_bytes + submessageBytes(content) > budgets.submessageBytes.most) {
        throw badRequest('This message has too many submessages.')
      }
      const topic = message.channel_id === null ? null : { channelId: message.channel_id, topic: message.topic }
      const follows = topic && (await followsReacted(sql, { user, topic, isMuted: message.is_muted }))
      if (follows && !tx) return 'locks'
      if (tx && topic && follows) await followReacted(ctx, tx, emit, { user, topic })
      const row = { message_id: messageId, sender_id: user.id, content, submessage_id: message.next_id }
      emit(submessageEvent, { ...row, msg_type: 'widget' }, await audienceOf(ctx, sql, message))
      return (within, version) => within`${stillSame(within, message, version)}, ${insertSubmessage(within, row)}`
    },
  })
}

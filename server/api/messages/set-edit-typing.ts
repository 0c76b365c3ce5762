import { z } from 'zod'
import { badRequest } from '../../../shared/errors.js'
import { typeInEdit } from '../../actions/messages/typing.js'
import { findMessage } from '../../lookups/find-message.js'
import { pathId, word } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { requireMayEditContent } from '../../policies/message-edits.js'
import { userSetting } from '../../policies/settings.js'
import { route } from '../route.js'

export const setEditTyping = route({
  operation: 'set_edit_typing',
  method: 'POST',
  path: '/messages/{message_id}/typing',
  doc: 'Reports that you started or stopped editing one of your messages.',
  allow: anyAccount,
  params: z.object({
    message_id: pathId().describe('The edited message.'),
    op: word('start', 'stop').describe('Whether you started or stopped.'),
  }),
  returns: z.object({}),
  errors: ['BAD_REQUEST'],
  async handle({ ctx, actor, params: { message_id, op } }) {
    const { message, user } = await findMessage(ctx, ctx.sql, actor, message_id)
    const editor = user ?? actor.user
    const kind = message.channel_id === null ? 'send_private_typing_notifications' : 'send_stream_typing_notifications'
    requireMayEditContent(ctx.directory, editor, message, { now: ctx.clock.now(), grace: 0 })
    if (!userSetting(editor, kind)) throw badRequest('User has disabled typing notifications for this kind of message')
    await typeInEdit(ctx, editor, op, message)
    return {}
  },
})

import { z } from 'zod'
import { actOnWidget } from '../../actions/messages/act-on-widget.js'
import { cutText, integer, word } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'

export const submessageRoute = route({
  operation: 'submessage',
  method: 'POST',
  path: '/submessage',
  doc: 'Acts on a poll, a to-do list or another widget, for example votes.',
  allow: anyAccount,
  params: z.object({
    message_id: integer({ min: 0 }).describe('The message that is the widget.'),
    msg_type: word('widget').describe('Kind of the submessage.'),
    content: cutText().meta({ contentMediaType: 'application/json' }).describe('JSON text: what you do.'),
  }),
  returns: z.object({}),
  errors: ['BAD_REQUEST'],
  creates: true,
  async handle({ creating, actor, params: { message_id, content } }) {
    return creating(
      ctx => actOnWidget(ctx, actor, message_id, content),
      () => ({}),
    )
  },
})

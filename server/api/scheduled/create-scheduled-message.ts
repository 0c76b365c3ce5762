import { z } from 'zod'
import { scheduleMessage } from '../../actions/scheduled/schedule.js'
import { boolean, cutText } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { isInteractive } from '../../policies/programs.js'
import { route } from '../route.js'
import { dueTime, messageType, ofPlace, toIds, typeOf } from './params.js'

export const createScheduledMessage = route({
  operation: 'create_scheduled_message',
  method: 'POST',
  path: '/scheduled_messages',
  doc: 'Schedules a message, which the server sends at a time. It is checked now and once more when it is sent.',
  allow: anyAccount,
  params: z.object({
    type: messageType.describe('`private` and `stream` are older names of `direct` and `channel`.'),
    to: toIds,
    content: cutText().describe('Markdown source.'),
    scheduled_delivery_timestamp: dueTime,
    topic: cutText().optional().describe('Only for channels.'),
    read_by_sender: boolean()
      .optional()
      .describe('Default: true for programs in which the sender sees the message, unless it goes to the sender alone.'),
  }),
  requires: ofPlace,
  returns: z.object({ scheduled_message_id: z.int() }),
  errors: [
    'BAD_REQUEST',
    'STREAM_DOES_NOT_EXIST',
    'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
    'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
  ],
  creates: true,
  async handle({ ctx, creating, actor, client, params }) {
    const { to, content, topic = '' } = params
    const isToSelf = Array.isArray(to) && to.every(id => id === actor.user.id)
    const given = {
      place: { type: typeOf(params.type), to, topic },
      content,
      client,
      readBySender: params.read_by_sender ?? (isInteractive(client, ctx.config.wireBrand) && !isToSelf),
      due: params.scheduled_delivery_timestamp,
    }
    return creating(
      within => scheduleMessage(within, actor, given),
      id => ({ scheduled_message_id: id }),
    )
  },
})

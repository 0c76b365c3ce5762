import { z } from 'zod'
import { editScheduled } from '../../actions/scheduled/schedule.js'
import { cutText } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'
import { dueTime, messageType, ofPlace, scheduledId, toIds, typeOf } from './params.js'

export const updateScheduledMessage = route({
  operation: 'update_scheduled_message',
  method: 'PATCH',
  path: '/scheduled_messages/{scheduled_message_id}',
  doc: 'Changes a message that you have scheduled. One that could not be sent needs a new time.',
  allow: anyAccount,
  params: z.object({
    scheduled_message_id: scheduledId,
    type: messageType.optional().describe('Needs `to`.'),
    to: toIds.optional(),
    content: cutText().optional().describe('Markdown source.'),
    topic: cutText().optional().describe('Ignored for a direct message.'),
    scheduled_delivery_timestamp: dueTime.optional(),
  }),
  requires: [
    { when: { type: 'given' }, anyOf: ['to'], refusal: 'Missing to' },
    { anyOf: ['content', 'to', 'topic', 'scheduled_delivery_timestamp'], refusal: 'Nothing to change.' },
    ...ofPlace,
  ],
  returns: z.object({}),
  errors: [
    'BAD_REQUEST',
    ['BAD_REQUEST', 404],
    'STREAM_DOES_NOT_EXIST',
    'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
    'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
  ],
  async handle({ ctx, actor, client, params }) {
    const { scheduled_message_id: id, type, to, content, topic, scheduled_delivery_timestamp: due } = params
    await editScheduled(ctx, actor, id, { type: type && typeOf(type), to, topic, content, due, client })
    return {}
  },
})

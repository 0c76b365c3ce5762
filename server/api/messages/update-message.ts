import { z } from 'zod'
import { attachment } from '../../../shared/resources/attachment.js'
import { editMessage } from '../../actions/messages/edit.js'
import { nothingToChange, nothingToMove } from '../../actions/messages/plan-edit.js'
import { notBoth } from '../../params/conditions.js'
import { boolean, cutText, pathId, shortId, text, word } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'

export const updateMessage = route({
  operation: 'update_message',
  method: 'PATCH',
  path: '/messages/{message_id}',
  doc: 'Edits one of your messages, or moves a message, alone or with others of its topic.',
  allow: anyAccount,
  isTool: true,
  params: z.object({
    message_id: pathId().describe('The message.'),
    topic: cutText().optional().describe('The new topic.'),
    subject: cutText().optional().describe('Older name of `topic`.'),
    propagate_mode: word('change_one', 'change_later', 'change_all')
      .default('change_one')
      .describe('The moved messages: the message, the message and later ones of its topic, or the whole topic.'),
    send_notification_to_old_thread: boolean().default(false).describe('Whether to send a notice to the old place.'),
    send_notification_to_new_thread: boolean().default(true).describe('Whether to send a notice to the new place.'),
    content: cutText().optional().describe('The new content; empty becomes `(deleted)`.'),
    prev_content_sha256: text().optional().describe('Refuse the edit unless the present content has this hash.'),
    stream_id: shortId().optional().describe('The new channel; not together with a new content.'),
  }),
  requires: [
    notBoth('topic', 'subject'),
    { anyOf: ['content', 'topic', 'subject', 'stream_id'], refusal: nothingToChange },
    {
      when: { propagate_mode: ['change_later', 'change_all'] },
      anyOf: ['topic', 'subject', 'stream_id'],
      refusal: nothingToMove,
    },
  ],
  returns: z.object({ detached_uploads: z.array(attachment).describe('Your files that no message uses any more.') }),
  errors: [
    'BAD_REQUEST',
    'REQUEST_CONFUSING_VAR',
    'EXPECTATION_MISMATCH',
    'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
    'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
    'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
  ],
  async handle({ ctx, actor, params }) {
    const { detached } = await editMessage(ctx, actor, params.message_id, {
      content: params.content,
      prevContentSha256: params.prev_content_sha256,
      topic: params.topic ?? params.subject,
      channelId: params.stream_id,
      propagateMode: params.propagate_mode,
      notifyOldThread: params.send_notification_to_old_thread,
      notifyNewThread: params.send_notification_to_new_thread,
    })
    return { detached_uploads: detached }
  },
})

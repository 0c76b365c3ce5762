import { z } from 'zod'
import { visibilityPolicy } from '../../../shared/resources/user-topic.js'
import type { Sending } from '../../actions/messages/prepare.js'
import type { To } from '../../actions/messages/recipients.js'
import { sendMessage } from '../../actions/messages/send.js'
import { growing } from '../../actions/messages/streamed-message.js'
import { notBoth, required } from '../../params/conditions.js'
import { boolean, cutText, text, word } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { isInteractive } from '../../policies/programs.js'
import { sentMessage } from '../../presenters/sent-message.js'
import { route } from '../route.js'
import { channelParam, oneChannel, peopleParam, toParam } from './to-param.js'

export const sendMessageRoute = route({
  operation: 'send_message',
  method: 'POST',
  path: '/messages',
  doc: 'Sends a message to a channel or to users. The server truncates content that is too long.',
  allow: anyAccount,
  isTool: true,
  params: z.object({
    type: word('direct', 'channel', 'stream', 'private').describe(
      '`private` and `stream` are older names of `direct` and `channel`.',
    ),
    to: toParam.describe(
      "A channel's id or name, or a list of user ids or of API emails: of 500 people at most, you among them.",
    ),
    content: cutText().describe('Markdown source.'),
    topic: cutText().optional().describe('Only for channels. `(no topic)` means the empty topic.'),
    subject: cutText().optional().describe('Older name of `topic`.'),
    queue_id: text().optional().describe('The queue whose event of this message carries `local_id`.'),
    local_id: text()
      .optional()
      .describe(
        'With `queue_id`: returned as `local_message_id` in the event, and a repeated request within ten minutes returns the id of the first message instead of storing a second one.',
      ),
    widget_content: cutText()
      .meta({ contentMediaType: 'application/json' })
      .optional()
      .describe('JSON text of a form that clients show with buttons (type `zform`).'),
    streamed: boolean()
      .default(false)
      .describe('The message grows: append pieces by `append_to_message`, and end it by `end_streamed_message`.'),
    read_by_sender: boolean().optional().describe('Default: true for programs in which the sender sees the message.'),
  }),
  requires: [
    notBoth('topic', 'subject'),
    { when: { streamed: [true] }, noneOf: ['widget_content'], refusal: 'A form cannot be streamed.' },
    { when: { type: ['channel', 'stream'] }, anyOf: ['topic', 'subject'], refusal: 'Missing topic' },
    oneChannel,
  ],
  returns: z.object({
    id: z.int(),
    automatic_new_visibility_policy: z
      .int()
      .meta({ enum: [visibilityPolicy.unmuted, visibilityPolicy.followed] })
      .optional()
      .describe('Only if sending changed your visibility policy for the topic: 2 unmuted, 3 followed.'),
  }),
  errors: [
    'BAD_REQUEST',
    'REQUEST_CONFUSING_VAR',
    'STREAM_DOES_NOT_EXIST',
    'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
    'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
  ],
  creates: true,
  async handle({ ctx, creating, actor, client, params }) {
    const { queue_id: queueId, local_id: localId } = params
    const sending: Sending = {
      senderId: actor.user.id,
      client,
      to: readTo(params),
      content: params.content,
      form: params.widget_content,
      readBySender: params.read_by_sender ?? isInteractive(client, ctx.config.wireBrand),
      local: queueId !== undefined && localId !== undefined ? { queueId, localId } : undefined,
    }
    const all = params.streamed ? { ...sending, ...growing(ctx, sending) } : sending
    return creating((_, key) => sendMessage(ctx, key ? { ...all, key } : all), sentMessage)
  },
})

function readTo(params: { type: string; to: z.output<typeof toParam>; topic?: string; subject?: string }): To {
  if (params.type === 'direct' || params.type === 'private') return { people: peopleParam(params.to) }
  return { channel: channelParam(params.to), topic: required(params.topic ?? params.subject) }
}

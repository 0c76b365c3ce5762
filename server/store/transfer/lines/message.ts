import { z } from 'zod'
import { flag, id, lineType, ranges, text, time } from '../line-type.js'

export const conversationLine = lineType(
  'conversation',
  { table: 'conversations', order: 'id', doc: 'A direct conversation.' },
  {
    id: id('Its id.'),
    user_ids: z.array(z.int()).min(1).describe('The participants, including the sender; ascending.'),
  },
)

const reaction = z.strictObject({
  user_id: z.int(),
  reaction_type: z.enum(['unicode_emoji', 'realm_emoji', 'extra_emoji']),
  emoji_code: z.string(),
  emoji_name: z.string(),
})

const submessage = z.strictObject({ id: z.int(), sender_id: z.int(), msg_type: z.string(), content: z.string() })

export const messageLine = lineType(
  'message',
  {
    table: 'messages',
    order: 'id',
    doc: 'A message, in a channel or in a conversation.',
    nested: {
      edit_history: `(select json_agg(json_strip_nulls(json_build_object('user_id', user_id,
        'timestamp', floor(extract(epoch from edited_at))::bigint, 'prev_stream', prev_stream, 'stream', stream,
        'prev_topic', prev_topic, 'topic', message_edits.topic, 'prev_content', prev_content,
        'prev_rendered_content', prev_rendered_content)) order by message_edits.id desc)
        from message_edits where message_id = messages.id)`,
      reactions: `(select coalesce(json_agg(json_build_object('user_id', user_id, 'reaction_type', reaction_type,
        'emoji_code', emoji_code, 'emoji_name', emoji_name) order by reactions.id), '[]')
        from reactions where message_id = messages.id)`,
      submessages: `(select coalesce(json_agg(json_build_object('id', submessages.id, 'sender_id', submessages.sender_id,
        'msg_type', msg_type, 'content', submessages.content) order by submessages.id), '[]')
        from submessages where message_id = messages.id)`,
      flags: `(select coalesce(json_agg(json_build_array(user_id, message_flags.flags) order by user_id), '[]')
        from message_flags where message_id = messages.id)`,
    },
  },
  {
    id: id('Its id.'),
    sender_id: id('The sender.'),
    channel_id: z.int().nullable().describe('The channel; null: a direct message.'),
    conversation_id: z.int().nullable().describe('The conversation; null: a message of a channel.'),
    topic: text('Its topic; empty for a direct message.'),
    content: text('The source, in Markdown.'),
    rendered_content: text('HTML of the source.'),
    renderer_version: z.int().describe('Version of the renderer that made the HTML.'),
    date_sent: time('When it was sent.'),
    client: text('The client program that sent it.'),
    read_by_sender: flag('The message counts as read for its sender.'),
    read_by_all: flag('The message counts as read for all its receivers.'),
    is_me_message: flag('The source begins with `/me`.'),
    has_link: flag('The message has a link.'),
    has_image: flag('The message has an image.'),
    has_attachment: flag('The message has an uploaded file.'),
    wildcard_mentions: z
      .int()
      .describe('Bit 1: mentions the subscribers of the channel, bit 2: the participants of the topic.'),
    last_edit_time: time('When its text was last edited.').nullable(),
    last_move_time: time('When it was last moved.').nullable(),
    edit_history: z
      .array(z.record(z.string(), z.unknown()))
      .nullable()
      .describe('Its earlier texts and places, newest first.'),
    reactions: z
      .array(reaction)
      .describe('Reactions in the order in which users added them: user_id, reaction_type, emoji_code, emoji_name.'),
    submessage_bytes: z.int().min(0).describe('Bytes of its submessages.'),
    submessages: z
      .array(submessage)
      .describe('What users did to a poll or another widget, by id: id, sender_id, msg_type, content.'),
    flags: z
      .array(z.tuple([z.int(), z.int()]))
      .describe(
        'Pairs of user and bits: 1 starred, 2 collapsed, 4 mentioned, 8 mentioned with the topic, 16 alert word, 32 not received, 64 marked unread.',
      ),
  },
)

export const readLine = lineType(
  'read',
  { table: 'read_state', order: 'user_id, block', doc: 'The messages that a user has read.' },
  {
    user_id: id('The user.'),
    block: z.int().min(0).describe('Message ids divided by 65,536, rounded down; each block has a line.'),
    ranges: ranges('Ids of messages that count as read.'),
  },
)

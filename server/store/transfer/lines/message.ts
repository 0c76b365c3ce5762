import { z } from 'zod'
import { flag, id, lineType, ranges, text, time } from '../line-type.js'

export const conversationLine = lineType('conversation', 'conversations', 'id', 'A direct conversation.', {
  id: id('Its id.'),
  user_ids: z.array(z.int()).min(1).describe('Who takes part, the sender among them; ascending.'),
})

const reaction = z.strictObject({
  user_id: z.int(),
  reaction_type: z.enum(['unicode_emoji', 'realm_emoji', 'extra_emoji']),
  emoji_code: z.string(),
  emoji_name: z.string(),
})

export const messageLine = lineType(
  'message',
  'messages',
  'id',
  'A message, in a channel or in a conversation.',
  {
    id: id('Its id.'),
    sender_id: id('Who sent it.'),
    channel_id: z.int().nullable().describe('The channel; null: a direct message.'),
    conversation_id: z.int().nullable().describe('The conversation; null: a message of a channel.'),
    topic: text('Its topic; of direct messages empty.'),
    content: text('Markdown.'),
    rendered_content: text('HTML of it.'),
    renderer_version: z.int().describe('Which version of the renderer made that.'),
    date_sent: time('When.'),
    client: text('The program that sent it.'),
    read_by_sender: flag('Its sender counts as having read it.'),
    read_by_all: flag('All receivers have read it.'),
    is_me_message: flag('It begins with `/me`.'),
    has_link: flag('It has a link.'),
    has_image: flag('It has a picture.'),
    has_attachment: flag('It has an uploaded file.'),
    wildcard_mentions: z
      .int()
      .describe('Bit 1: mentions the channel’s subscribers, bit 2: those who take part in the topic.'),
    last_edit_time: time('When its text was changed last.').nullable(),
    last_move_time: time('When it was moved last.').nullable(),
    edit_history: z
      .array(z.record(z.string(), z.unknown()))
      .nullable()
      .describe('Earlier texts and places, newest first.'),
    reactions: z
      .array(reaction)
      .describe('In the order in which they were added: user_id, reaction_type, emoji_code, emoji_name.'),
    flags: z
      .array(z.tuple([z.int(), z.int()]))
      .describe(
        'Pairs of user and bits: 1 starred, 2 collapsed, 4 mentioned, 8 mentioned with the topic, 16 alert word, 32 not received, 64 marked unread.',
      ),
  },
  {
    nested: {
      edit_history: `(select json_agg(json_strip_nulls(json_build_object('user_id', user_id,
        'timestamp', floor(extract(epoch from edited_at))::bigint, 'prev_stream', prev_stream, 'stream', stream,
        'prev_topic', prev_topic, 'topic', message_edits.topic, 'prev_content', prev_content,
        'prev_rendered_content', prev_rendered_content)) order by message_edits.id desc)
        from message_edits where message_id = messages.id)`,
      reactions: `(select coalesce(json_agg(json_build_object('user_id', user_id, 'reaction_type', reaction_type,
        'emoji_code', emoji_code, 'emoji_name', emoji_name) order by reactions.id), '[]')
        from reactions where message_id = messages.id)`,
      flags: `(select coalesce(json_agg(json_build_array(user_id, message_flags.flags) order by user_id), '[]')
        from message_flags where message_id = messages.id)`,
    },
  },
)

export const readLine = lineType('read', 'read_state', 'user_id, block', 'What a user has read.', {
  user_id: id('Who.'),
  block: z.int().min(0).describe('Message ids divided by 65536: one line for each block.'),
  ranges: ranges('What was read.'),
})

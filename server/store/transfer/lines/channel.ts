import { z } from 'zod'
import { flag, id, lineType, object, ranges, text, time } from '../line-type.js'

export const folderLine = lineType('channel_folder', 'channel_folders', 'id', 'A folder that groups channels.', {
  id: id('Its id.'),
  name: text('Its name.'),
  description: text('Markdown.'),
  rendered_description: text('HTML of it.'),
  position: z.int().describe('Its place among the folders.'),
  creator_id: z.int().nullable().describe('Who made it.'),
  date_created: time('When.'),
  is_archived: flag('It is archived.'),
})

export const channelLine = lineType('channel', 'channels', 'id', 'A channel.', {
  id: id('Its id.'),
  name: text('Its name.'),
  description: text('Markdown.'),
  rendered_description: text('HTML of it.'),
  creator_id: z.int().nullable().describe('Who made it.'),
  date_created: time('When.'),
  invite_only: flag('Private.'),
  is_web_public: flag('Web-public: open to spectators.'),
  history_public_to_subscribers: flag('Subscribers see what was sent before they came.'),
  is_archived: flag('It is archived.'),
  is_default: flag('New accounts are subscribed to it.'),
  message_retention_days: z.int().nullable().describe('Days; -1 for ever; null: the organization’s.'),
  first_message_id: z.int().nullable().describe('Its first message.'),
  folder_id: z.int().nullable().describe('Its folder.'),
  topics_policy: z
    .enum(['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only'])
    .describe('Whether messages need a topic.'),
  settings: object('Its permissions: name to id of the group that holds it.'),
  default_push_notifications: flag('New subscriptions start with push notifications.'),
})

const own = (doc: string) => flag(`${doc} Null: the user’s setting for all channels.`).nullable()

export const subscriptionLine = lineType(
  'subscription',
  'subscriptions',
  'channel_id, user_id',
  'That a user is, or was, subscribed to a channel.',
  {
    user_id: id('Who.'),
    channel_id: id('To what.'),
    is_active: flag('False: it ended.'),
    color: text('`#` and six digits.'),
    is_muted: flag('The channel is muted.'),
    pin_to_top: flag('It stands at the top of lists.'),
    desktop_notifications: own('Notifications on the desktop.'),
    email_notifications: own('By mail.'),
    push_notifications: own('On mobile devices.'),
    audible_notifications: own('With a sound.'),
    wildcard_mentions_notify: own('Of mentions of all subscribers.'),
    spans: ranges('During which messages it was active.'),
    is_forgotten: flag('The user no longer knew the channel since it ended.'),
  },
)

export const topicPolicyLine = lineType(
  'topic_policy',
  'user_topics',
  'user_id, channel_id, lower(topic) collate "C"',
  'The visibility policy of a user for a topic.',
  {
    user_id: id('Who.'),
    channel_id: id('The channel.'),
    topic: text('The topic.'),
    visibility_policy: z.int().min(1).max(3).describe('1 muted, 2 unmuted, 3 followed.'),
    last_updated: time('Since when.'),
  },
)

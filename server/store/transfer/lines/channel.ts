import { z } from 'zod'
import { flag, id, lineType, object, ranges, text, time } from '../line-type.js'

export const folderLine = lineType(
  'channel_folder',
  { table: 'channel_folders', order: 'id', doc: 'A folder that groups channels.' },
  {
    id: id('Its id.'),
    name: text('Its name.'),
    description: text('The description, in Markdown.'),
    rendered_description: text('HTML of the description.'),
    position: z.int().describe('Its position among the folders.'),
    creator_id: z.int().nullable().describe('The user who created it.'),
    date_created: time('When it was created.'),
    is_archived: flag('The folder is archived.'),
  },
)

export const channelLine = lineType(
  'channel',
  { table: 'channels', order: 'id', doc: 'A channel.' },
  {
    id: id('Its id.'),
    name: text('Its name.'),
    description: text('The description, in Markdown.'),
    rendered_description: text('HTML of the description.'),
    creator_id: z.int().nullable().describe('The user who created it.'),
    date_created: time('When it was created.'),
    invite_only: flag('The channel is private.'),
    is_web_public: flag('The channel is web-public: spectators can read it.'),
    history_public_to_subscribers: flag('Subscribers can read messages from before their subscription.'),
    is_archived: flag('The channel is archived.'),
    is_default: flag('New accounts are subscribed to it.'),
    message_retention_days: z.int().nullable().describe('Days; -1: forever; null: as the organization.'),
    first_message_id: z.int().nullable().describe('Id of its first message.'),
    folder_id: z.int().nullable().describe('Id of its folder.'),
    topics_policy: z
      .enum(['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only'])
      .describe('Whether messages need a topic.'),
    settings: object('Its permissions: from name to the id of the group that has the permission.'),
    default_push_notifications: flag('Not used.'),
  },
)

export const defaultGroupLine = lineType(
  'default_channel_group',
  { table: 'default_channel_groups', order: 'id', doc: 'A group of channels that new members may choose.' },
  {
    id: id('Its id.'),
    name: text('Its name.'),
    description: text('The description.'),
    channel_ids: z.array(z.int().min(1)).describe('Ids of its channels.'),
  },
)

const own = (doc: string) => flag(`${doc} Null: the user’s setting for all channels.`).nullable()

export const subscriptionLine = lineType(
  'subscription',
  {
    table: 'subscriptions',
    order: 'channel_id, user_id',
    doc: 'An active or former subscription of a user to a channel.',
  },
  {
    user_id: id('The subscriber.'),
    channel_id: id('The channel.'),
    is_active: flag('False: a former subscription.'),
    color: text('`#` and six digits.'),
    is_muted: flag('The channel is muted.'),
    pin_to_top: flag('The channel is at the top of lists.'),
    desktop_notifications: own('Notifications on the desktop.'),
    email_notifications: own('Notifications by email.'),
    push_notifications: own('Notifications on mobile devices.'),
    audible_notifications: own('Notifications with a sound.'),
    wildcard_mentions_notify: own('Notifications of mentions of all subscribers.'),
    spans: ranges('The messages that were sent while the subscription was active.'),
    is_forgotten: flag('The user could no longer see the channel after the subscription ended.'),
  },
)

export const topicPolicyLine = lineType(
  'topic_policy',
  {
    table: 'user_topics',
    order: 'user_id, channel_id, lower(topic) collate "C"',
    doc: 'The visibility policy of a user for a topic.',
  },
  {
    user_id: id('The user.'),
    channel_id: id('The channel.'),
    topic: text('The topic.'),
    visibility_policy: z.int().min(1).max(3).describe('1 muted, 2 unmuted, 3 followed.'),
    last_updated: time('When the policy was last changed.'),
  },
)

import { z } from 'zod'
import type { DeepReadonly } from './deep-readonly.js'
import { groupSettingValue } from './group-setting-value.js'

export const topicsPolicies = ['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only'] as const
export type TopicsPolicy = (typeof topicsPolicies)[number]

/** A channel as users see it (docs/protocol/register.md#channels). */
export const channelObjectSchema = z.object({
  stream_id: z.int(),
  name: z.string(),
  description: z.string().describe('Markdown source.'),
  rendered_description: z.string().describe('HTML.'),
  date_created: z.int().describe('UNIX seconds.'),
  creator_id: z.int().nullable(),
  invite_only: z.boolean().describe('Private.'),
  is_web_public: z.boolean(),
  history_public_to_subscribers: z.boolean(),
  is_archived: z.boolean(),
  is_announcement_only: z.boolean().describe('Deprecated.'),
  stream_post_policy: z
    .int()
    .meta({ enum: [1, 2, 3, 4] })
    .describe('Deprecated: 1 all users, 2 administrators, 3 full members, 4 moderators.'),
  first_message_id: z.int().nullable(),
  is_recently_active: z.boolean().describe('Whether the channel got a message within 180 days.'),
  message_retention_days: z.int().nullable().describe("Null: the organization's; -1: forever."),
  stream_weekly_traffic: z.int().nullable().describe('Null for a channel younger than a week.'),
  subscriber_count: z.int(),
  folder_id: z.int().nullable(),
  topics_policy: z.enum(topicsPolicies),
  can_add_subscribers_group: groupSettingValue,
  can_administer_channel_group: groupSettingValue,
  can_create_topic_group: groupSettingValue,
  can_delete_any_message_group: groupSettingValue,
  can_delete_own_message_group: groupSettingValue,
  can_move_messages_out_of_channel_group: groupSettingValue,
  can_move_messages_within_channel_group: groupSettingValue,
  can_remove_subscribers_group: groupSettingValue,
  can_resolve_topics_group: groupSettingValue,
  can_send_message_group: groupSettingValue,
  can_subscribe_group: groupSettingValue,
  is_default: z.boolean().optional(),
})

export type ChannelObject = DeepReadonly<z.output<typeof channelObjectSchema>>

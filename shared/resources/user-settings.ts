import { z } from 'zod'

const oneOf = <const Numbers extends readonly number[]>(...numbers: Numbers) => z.literal(numbers)

/**
 * Personal settings: allowed values, and what a fresh organization gives to new users. The sound `service` stands for the
 * brand, in the store too.
 */
export const userSettings = z.object({
  twenty_four_hour_time: z.boolean().nullable().default(false),
  starred_message_counts: z.boolean().default(true),
  display_emoji_reaction_users: z.boolean().default(true),
  emojiset: z.enum(['google', 'twitter', 'text']).default('google'),
  presence_enabled: z.boolean().default(true),
  web_suggest_update_timezone: z.boolean().default(true),
  fluid_layout_width: z.boolean().default(false),
  high_contrast_mode: z.boolean().default(false),
  enter_sends: z.boolean().default(false),
  left_side_userlist: z.boolean().default(false),
  translate_emoticons: z.boolean().default(false),
  default_language: z.string().default('en'),
  web_home_view: z.enum(['recent', 'inbox', 'all_messages']).default('inbox'),
  web_escape_navigates_to_home_view: z.boolean().default(true),
  color_scheme: oneOf(1, 2, 3).default(1),
  web_font_size_px: z.int().default(16),
  web_line_height_percent: z.int().default(140),
  web_animate_image_previews: z.enum(['always', 'on_hover', 'never']).default('on_hover'),
  demote_inactive_streams: oneOf(1, 2, 3).default(1),
  web_mark_read_on_scroll_policy: oneOf(1, 2, 3).default(1),
  web_channel_default_view: oneOf(1, 2, 3, 4).default(1),
  user_list_style: oneOf(1, 2, 3).default(3),
  web_stream_unreads_count_display_policy: oneOf(1, 2, 3).default(2),
  web_left_sidebar_unreads_count_summary: z.boolean().default(true),
  web_left_sidebar_show_channel_folders: z.boolean().default(true),
  web_inbox_show_channel_folders: z.boolean().default(true),
  web_navigate_to_sent_message: z.boolean().default(true),
  email_notifications_batching_period_seconds: z.int().min(1).max(604_800).default(120),
  enable_stream_desktop_notifications: z.boolean().default(false),
  enable_stream_email_notifications: z.boolean().default(false),
  enable_stream_push_notifications: z.boolean().default(false),
  enable_stream_audible_notifications: z.boolean().default(false),
  notification_sound: z.string().default('service'),
  wildcard_mentions_notify: z.boolean().default(true),
  enable_followed_topic_desktop_notifications: z.boolean().default(true),
  enable_followed_topic_email_notifications: z.boolean().default(true),
  enable_followed_topic_push_notifications: z.boolean().default(true),
  enable_followed_topic_audible_notifications: z.boolean().default(true),
  enable_followed_topic_wildcard_mentions_notify: z.boolean().default(true),
  enable_desktop_notifications: z.boolean().default(true),
  enable_sounds: z.boolean().default(true),
  enable_offline_email_notifications: z.boolean().default(true),
  enable_offline_push_notifications: z.boolean().default(true),
  enable_online_push_notifications: z.boolean().default(true),
  pm_content_in_desktop_notifications: z.boolean().default(true),
  message_content_in_email_notifications: z.boolean().default(true),
  enable_digest_emails: z.boolean().default(true),
  enable_login_emails: z.boolean().default(true),
  enable_marketing_emails: z.boolean().default(true),
  desktop_icon_count_display: oneOf(1, 2, 3, 4).default(1),
  realm_name_in_email_notifications_policy: oneOf(1, 2, 3).default(1),
  automatically_follow_topics_policy: oneOf(1, 2, 3, 4).default(3),
  automatically_unmute_topics_in_muted_streams_policy: oneOf(1, 2, 3, 4).default(2),
  automatically_follow_topics_where_mentioned: z.boolean().default(true),
  resolved_topic_notice_auto_read_policy: z.enum(['always', 'except_followed', 'never']).default('except_followed'),
  enable_drafts_synchronization: z.boolean().default(true),
  send_private_typing_notifications: z.boolean().default(true),
  send_stream_typing_notifications: z.boolean().default(true),
  send_read_receipts: z.boolean().default(true),
  receives_typing_notifications: z.boolean().default(true),
  email_address_visibility: oneOf(1, 2, 3, 4, 5).default(1),
  allow_private_data_export: z.boolean().default(false),
  hide_ai_features: z.boolean().default(false),
})

export type UserSettings = z.infer<typeof userSettings>
export type UserSettingName = keyof UserSettings

export const userSettingDefaults: Readonly<UserSettings> = userSettings.parse({})

/** Sounds to choose from; beside them there is `none`. */
export const notificationSounds = ['ding', 'service'] as const

export const emojisetChoices = [
  { key: 'google', text: 'Google' },
  { key: 'twitter', text: 'Twitter' },
  { key: 'text', text: 'Plain text' },
] as const

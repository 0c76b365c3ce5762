import { z } from 'zod'

const oneOf = <const Numbers extends readonly number[]>(...numbers: Numbers) => z.literal(numbers)
// The protocol has no upper bound for sizes; this is the largest 32-bit integer, which clients can store.
const largest = 2_147_483_647

/**
 * Personal settings: allowed values and defaults of new users, in the order in which operations check them. The sound
 * `service` stands for the brand, in the store too.
 */
export const userSettings = z.object({
  starred_message_counts: z.boolean().default(true).describe('Show how many messages are starred.'),
  receives_typing_notifications: z.boolean().default(true).describe('Get typing events of other users.'),
  web_suggest_update_timezone: z
    .boolean()
    .default(true)
    .describe('Offer to change the time zone when that of the device differs.'),
  fluid_layout_width: z.boolean().default(false).describe('Use the whole width of the window.'),
  high_contrast_mode: z.boolean().default(false).describe('Colors with more contrast.'),
  enable_drafts_synchronization: z
    .boolean()
    .default(true)
    .describe('Store drafts on the server for all clients; turning it off deletes them.'),
  translate_emoticons: z.boolean().default(false).describe('Convert emoticons such as `:)` to emoji on sending.'),
  display_emoji_reaction_users: z
    .boolean()
    .default(true)
    .describe('Show the names of users who reacted if they are few.'),
  web_escape_navigates_to_home_view: z.boolean().default(true).describe('The escape key leads to the home view.'),
  left_side_userlist: z.boolean().default(false).describe('The list of users is on the left in narrow windows.'),
  hide_ai_features: z.boolean().default(false).describe('Hide features that use a language model.'),
  web_inbox_show_channel_folders: z.boolean().default(true).describe('Group the inbox by channel folders.'),
  web_left_sidebar_show_channel_folders: z.boolean().default(true).describe('Group the sidebar by channel folders.'),
  web_left_sidebar_unreads_count_summary: z
    .boolean()
    .default(true)
    .describe('Show sums of unread messages in the sidebar.'),
  enable_stream_desktop_notifications: z
    .boolean()
    .default(false)
    .describe('Desktop notifications of messages in channels without a setting of their own.'),
  enable_stream_email_notifications: z
    .boolean()
    .default(false)
    .describe('Email notifications of messages in channels without a setting of their own.'),
  enable_stream_push_notifications: z
    .boolean()
    .default(false)
    .describe('Notifications by push of messages in channels without a setting of their own.'),
  enable_stream_audible_notifications: z
    .boolean()
    .default(false)
    .describe('A sound for messages in channels without a setting of their own.'),
  enable_desktop_notifications: z
    .boolean()
    .default(true)
    .describe('Desktop notifications of direct messages and mentions.'),
  enable_sounds: z.boolean().default(true).describe('A sound for direct messages and mentions.'),
  enable_followed_topic_desktop_notifications: z
    .boolean()
    .default(true)
    .describe('Desktop notifications of messages in followed topics.'),
  enable_followed_topic_email_notifications: z
    .boolean()
    .default(true)
    .describe('Email notifications of messages in followed topics.'),
  enable_followed_topic_push_notifications: z
    .boolean()
    .default(true)
    .describe('Notifications by push of messages in followed topics.'),
  enable_followed_topic_audible_notifications: z
    .boolean()
    .default(true)
    .describe('A sound for messages in followed topics.'),
  enable_offline_email_notifications: z
    .boolean()
    .default(true)
    .describe('Email notifications of direct messages and mentions while away. Off: no email notifications at all.'),
  enable_offline_push_notifications: z
    .boolean()
    .default(true)
    .describe(
      'Notifications by push of direct messages and mentions while away. Off: no notifications by push at all.',
    ),
  enable_online_push_notifications: z
    .boolean()
    .default(true)
    .describe('Notifications by push also while a client is in use.'),
  enable_digest_emails: z.boolean().default(true).describe('Digests by email after a long absence.'),
  message_content_in_email_notifications: z
    .boolean()
    .default(true)
    .describe('Email notifications contain the message.'),
  pm_content_in_desktop_notifications: z
    .boolean()
    .default(true)
    .describe('Desktop notifications contain the text of direct messages.'),
  wildcard_mentions_notify: z
    .boolean()
    .default(true)
    .describe('A wildcard mention notifies like a mention of the user.'),
  enable_followed_topic_wildcard_mentions_notify: z
    .boolean()
    .default(true)
    .describe('In followed topics, a wildcard mention notifies like a mention of the user.'),
  automatically_follow_topics_where_mentioned: z
    .boolean()
    .default(true)
    .describe('Follow topics in which the user is mentioned.'),
  presence_enabled: z.boolean().default(true).describe("Share the user's presence with other users."),
  enter_sends: z.boolean().default(false).describe('The enter key sends the message.'),
  twenty_four_hour_time: z
    .boolean()
    .nullable()
    .default(false)
    .describe('24-hour times; null, which requests cannot set: as in the locale.'),
  send_private_typing_notifications: z.boolean().default(true).describe('Send typing events for direct messages.'),
  send_stream_typing_notifications: z.boolean().default(true).describe('Send typing events for channels.'),
  send_read_receipts: z.boolean().default(true).describe('Let other users see which messages the user has read.'),
  web_navigate_to_sent_message: z.boolean().default(true).describe('Go to the conversation of a message just sent.'),
  web_channel_default_view: oneOf(1, 2, 3, 4)
    .default(1)
    .describe('A click on a channel shows 1 its top topic, 2 its feed, 3 its topics, 4 its top unread topic.'),
  web_mark_read_on_scroll_policy: oneOf(1, 2, 3)
    .default(1)
    .describe('Scrolling marks as read: 1 always, 2 in conversations only, 3 never.'),
  color_scheme: oneOf(1, 2, 3).default(1).describe('1 automatic, 2 dark, 3 light.'),
  demote_inactive_streams: oneOf(1, 2, 3)
    .default(1)
    .describe('List inactive channels separately: 1 automatically, 2 always, 3 never.'),
  user_list_style: oneOf(1, 2, 3)
    .default(3)
    .describe('The list of users: 1 compact, 2 with status, 3 with avatar and status.'),
  web_stream_unreads_count_display_policy: oneOf(1, 2, 3)
    .default(2)
    .describe('Counts of unread messages: 1 for all channels, 2 for unmuted channels and topics, 3 for none.'),
  desktop_icon_count_display: oneOf(1, 2, 3, 4)
    .default(1)
    .describe(
      'What the icon counts: 1 all unread, 2 direct messages, mentions and followed topics, 3 direct messages and mentions, 4 nothing.',
    ),
  automatically_follow_topics_policy: oneOf(1, 2, 3, 4)
    .default(3)
    .describe('Follow topics in which the user 1 takes part, 2 writes, or that the user 3 starts; 4 none.'),
  automatically_unmute_topics_in_muted_streams_policy: oneOf(1, 2, 3, 4)
    .default(2)
    .describe(
      'In muted channels, unmute topics in which the user 1 takes part, 2 writes, or that the user 3 starts; 4 none.',
    ),
  email_address_visibility: oneOf(1, 2, 3, 4, 5)
    .default(1)
    .describe('Who sees the real address: 1 all users, 2 members, 3 administrators, 4 no user, 5 moderators.'),
  realm_name_in_email_notifications_policy: oneOf(1, 2, 3)
    .default(1)
    .describe("The organization's name in email notifications: 1 automatically, 2 always, 3 never."),
  web_font_size_px: z.int().min(1).max(largest).default(16).describe('Size of the text in pixels.'),
  web_line_height_percent: z
    .int()
    .min(1)
    .max(largest)
    .default(140)
    .describe('Height of a line in percent: 120 is 1.2.'),
  email_notifications_batching_period_seconds: z
    .int()
    .min(1)
    .max(604_800)
    .default(120)
    .describe('Seconds for which messages are collected into one email.'),
  web_home_view: z.enum(['recent', 'inbox', 'all_messages']).default('inbox').describe('The first view.'),
  emojiset: z.enum(['google', 'twitter', 'text']).default('google').describe('The set of emoji pictures.'),
  web_animate_image_previews: z
    .enum(['always', 'on_hover', 'never'])
    .default('on_hover')
    .describe('When animated pictures play.'),
  resolved_topic_notice_auto_read_policy: z
    .enum(['always', 'except_followed', 'never'])
    .default('except_followed')
    .describe('In which topics the notice of a resolved topic is marked as read at once.'),
  notification_sound: z.string().default('service').describe('One of available_notification_sounds, or `none`.'),
  default_language: z.string().default('en').describe('The language of the interface, for example `de` or `zh-hans`.'),
  enable_login_emails: z.boolean().default(true).describe('Emails at each new sign-in.'),
  // docs/protocol/compatibility.md#settings-without-effect
  enable_marketing_emails: z.boolean().default(true).describe('News of the product by email. This server sends none.'),
  allow_private_data_export: z
    .boolean()
    .default(false)
    .describe("Exports of the organization may contain the user's private data."),
})

export type UserSettings = z.infer<typeof userSettings>
/** The values that requests can set: null comes from imports alone. */
export type ChosenSettings = { [Name in keyof UserSettings]: Exclude<UserSettings[Name], null> }
export type UserSettingName = keyof UserSettings
export const userSettingNames = Object.keys(userSettings.shape) as readonly UserSettingName[]

export const userSettingDefaults: Readonly<UserSettings> = userSettings.parse({})

/** The sounds to choose from, apart from `none`. */
export const notificationSounds = ['ding', 'service'] as const

export const emojisetChoices = [
  { key: 'google', text: 'Google' },
  { key: 'twitter', text: 'Twitter' },
  { key: 'text', text: 'Plain text' },
] as const

/** Settings without a configurable default for new users. */
export const withoutDefault = [
  'default_language',
  'enable_login_emails',
  'enable_marketing_emails',
  'allow_private_data_export',
] as const satisfies readonly UserSettingName[]

/** Settings about privacy and security: an administrator cannot change them for other users. */
export const onlyOwn = [
  'allow_private_data_export',
  'email_address_visibility',
  'enable_digest_emails',
  'enable_login_emails',
  'enable_marketing_emails',
  'presence_enabled',
  'send_private_typing_notifications',
  'send_read_receipts',
  'send_stream_typing_notifications',
] as const satisfies readonly UserSettingName[]

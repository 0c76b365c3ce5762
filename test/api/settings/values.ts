/** Two valid values per setting, the second of which differs from the default, and some invalid ones. */
interface Values {
  readonly good: readonly unknown[]
  readonly bad: readonly unknown[]
}

const booleans = [
  'starred_message_counts receives_typing_notifications web_suggest_update_timezone fluid_layout_width high_contrast_mode',
  'enable_drafts_synchronization translate_emoticons display_emoji_reaction_users web_escape_navigates_to_home_view',
  'left_side_userlist hide_ai_features web_inbox_show_channel_folders web_left_sidebar_show_channel_folders',
  'web_left_sidebar_unreads_count_summary enable_stream_desktop_notifications',
  'enable_stream_audible_notifications enable_desktop_notifications enable_sounds',
  'enable_followed_topic_desktop_notifications enable_followed_topic_audible_notifications',
  'message_content_in_email_notifications pm_content_in_desktop_notifications',
  'wildcard_mentions_notify enable_followed_topic_wildcard_mentions_notify automatically_follow_topics_where_mentioned',
  'presence_enabled enter_sends twenty_four_hour_time send_private_typing_notifications send_stream_typing_notifications',
  'send_read_receipts web_navigate_to_sent_message',
  // Mails and pushes that the server does not send yet: stored and announced all the same.
  'enable_stream_email_notifications enable_stream_push_notifications enable_followed_topic_email_notifications',
  'enable_followed_topic_push_notifications enable_offline_email_notifications enable_offline_push_notifications',
  'enable_online_push_notifications enable_digest_emails',
]
  .join(' ')
  .split(' ')

const upTo = (last: number): Values => ({
  good: Array.from({ length: last }, (_, i) => i + 1),
  bad: [0, last + 1, 1.5, 'x', '"1"', true],
})
const words = (...good: string[]): Values => ({ good, bad: ['other', good[0]?.toUpperCase(), '', 1] })
const sizes: Values = { good: [12, 18], bad: [0, -1, 'x', 1.5, 2 ** 31] }

/** Settings with a default in the organization, by their API names. */
export const defaultValues: Readonly<Record<string, Values>> = {
  ...Object.fromEntries(booleans.map(name => [name, { good: [true, false], bad: ['yes', 1, '"true"', ''] }])),
  web_channel_default_view: upTo(4),
  web_mark_read_on_scroll_policy: upTo(3),
  color_scheme: upTo(3),
  demote_inactive_streams: upTo(3),
  user_list_style: upTo(3),
  web_stream_unreads_count_display_policy: upTo(3),
  desktop_icon_count_display: upTo(4),
  automatically_follow_topics_policy: upTo(4),
  automatically_unmute_topics_in_muted_streams_policy: upTo(4),
  email_address_visibility: upTo(5),
  realm_name_in_email_notifications_policy: upTo(3),
  web_font_size_px: sizes,
  web_line_height_percent: sizes,
  email_notifications_batching_period_seconds: { good: [1, 604_800], bad: [0, -1, 604_801, 'x'] },
  web_home_view: words('recent', 'inbox', 'all_messages'),
  emojiset: words('google', 'twitter', 'text'),
  web_animate_image_previews: words('always', 'on_hover', 'never'),
  resolved_topic_notice_auto_read_policy: words('always', 'except_followed', 'never'),
  notification_sound: words('ding', 'service', 'none'),
}

/** Further settings of a user. */
export const ownValues: Readonly<Record<string, Values>> = {
  ...defaultValues,
  default_language: { good: ['de', 'en-gb', 'zh-hans'], bad: ['xx', 'klingon', 'de_DE', '', 'no such language'] },
  enable_login_emails: { good: [true, false], bad: ['yes', 1] },
  enable_marketing_emails: { good: [true, false], bad: ['yes', 1] },
  allow_private_data_export: { good: [false, true], bad: ['yes'] },
}

/** A value that differs from the one in `settings`, for each setting that has another one. */
export function otherValues(
  settings: Readonly<Record<string, unknown>>,
  values = defaultValues,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values)
      .filter(([, { good }]) => good.length > 1)
      .map(([name, { good }]) => [name, good.find(value => value !== settings[name])]),
  )
}

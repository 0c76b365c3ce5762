import { st } from '../../../language/settings-language.js'
import {
  acts,
  addressViewers,
  batchingPeriods,
  counted,
  demotions,
  firstViews,
  lineHeights,
  namings,
  resolutions,
  sounds,
  textSizes,
  times,
} from '../own/sections.js'
import { type Option, rowsOf } from '../rows.js'
import type { Section } from '../section.js'

const { toggle, choice } = rowsOf('newUsers')

const colours = (): readonly Option[] => [
  [1, () => st('choices.system')],
  [3, () => st('choices.light')],
  [2, () => st('choices.dark')],
]

/** The personal settings with which people begin; those who are there keep theirs. */
export const newUsers: Section = {
  id: 'new-users',
  icon: 'smile',
  parts: [
    {
      title: 'parts.look',
      rows: [
        choice('color_scheme', colours),
        choice('web_home_view', firstViews),
        choice('twenty_four_hour_time', times),
        choice('web_font_size_px', textSizes),
        choice('web_line_height_percent', lineHeights),
        choice('demote_inactive_streams', demotions),
        toggle('web_left_sidebar_show_channel_folders'),
        toggle('web_left_sidebar_unreads_count_summary'),
        toggle('translate_emoticons'),
        toggle('enable_drafts_synchronization'),
        toggle('receives_typing_notifications'),
      ],
    },
    {
      title: 'parts.notify',
      rows: [
        toggle('enable_desktop_notifications'),
        toggle('enable_followed_topic_desktop_notifications'),
        toggle('enable_stream_desktop_notifications'),
      ],
    },
    {
      title: 'parts.play',
      rows: [
        toggle('enable_sounds'),
        toggle('enable_followed_topic_audible_notifications'),
        toggle('enable_stream_audible_notifications'),
        choice('notification_sound', sounds),
      ],
    },
    {
      title: 'parts.push',
      rows: [
        toggle('enable_offline_push_notifications'),
        toggle('enable_online_push_notifications'),
        toggle('enable_followed_topic_push_notifications'),
        toggle('enable_stream_push_notifications'),
      ],
    },
    {
      title: 'parts.missed',
      rows: [
        toggle('enable_offline_email_notifications'),
        toggle('enable_followed_topic_email_notifications'),
        toggle('enable_stream_email_notifications'),
        choice('email_notifications_batching_period_seconds', batchingPeriods),
        toggle('message_content_in_email_notifications'),
        choice('realm_name_in_email_notifications_policy', namings),
      ],
    },
    {
      title: 'parts.how',
      rows: [
        toggle('pm_content_in_desktop_notifications'),
        toggle('wildcard_mentions_notify'),
        toggle('enable_followed_topic_wildcard_mentions_notify'),
        choice('desktop_icon_count_display', counted),
      ],
    },
    {
      title: 'parts.topics',
      rows: [
        choice('automatically_follow_topics_policy', acts),
        toggle('automatically_follow_topics_where_mentioned'),
        choice('automatically_unmute_topics_in_muted_streams_policy', acts),
        choice('resolved_topic_notice_auto_read_policy', resolutions),
      ],
    },
    {
      title: 'parts.letSee',
      rows: [
        toggle('presence_enabled'),
        toggle('send_read_receipts'),
        toggle('send_private_typing_notifications'),
        toggle('send_stream_typing_notifications'),
        choice('email_address_visibility', addressViewers),
      ],
    },
    { title: 'parts.mails', rows: [toggle('enable_digest_emails')] },
  ],
}

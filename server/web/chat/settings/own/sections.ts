import { locale, t } from '../../../language/language.js'
import { st } from '../../../language/settings-language.js'
import { isGuest } from '../../../state/permissions.js'
import { durations } from '../durations.js'
import { type Option, rowsOf } from '../rows.js'
import type { Section } from '../section.js'
import { Account } from './account.js'
import { AlertWords } from './alert-words.js'
import { Bots } from './bots.js'
import { Colours } from './colours.js'
import { MutedPeople } from './muted-people.js'
import { MutedTopics } from './muted-topics.js'
import { NotificationPermission, SoundSample } from './notification-permission.js'
import { Profile } from './profile.js'
import { PushDevices } from './push-devices.js'

const { toggle, choice } = rowsOf('own')

/** Half past one in the afternoon, as the language writes it. */
const timeExample = (hourCycle: 'h12' | 'h23'): string =>
  new Date(2026, 0, 1, 13, 30).toLocaleTimeString(locale(), { hour: 'numeric', minute: '2-digit', hourCycle })

export const times = (): readonly Option[] => [
  [false, () => timeExample('h12')],
  [true, () => timeExample('h23')],
]
export const textSizes = (): readonly Option[] => [
  [14, () => st('choices.smallText')],
  [16, () => st('choices.usualText')],
  [18, () => st('choices.largeText')],
  [20, () => st('choices.largestText')],
]
export const lineHeights = (): readonly Option[] => [
  [122, () => st('choices.closeLines')],
  [140, () => st('choices.usualLines')],
  [160, () => st('choices.wideLines')],
]
export const firstViews = (): readonly Option[] => [
  ['inbox', () => t('view.inbox')],
  ['recent', () => t('view.recent')],
  ['all_messages', () => t('view.all')],
]
export const demotions = (): readonly Option[] => [
  [1, () => st('choices.whereMany')],
  [2, () => st('choices.always')],
  [3, () => st('choices.notAtAll')],
]
export const acts = (): readonly Option[] => [
  [1, () => st('choices.takePart')],
  [2, () => st('choices.write')],
  [3, () => st('choices.start')],
  [4, () => st('choices.never')],
]
export const sounds = (): readonly Option[] => [
  ['service', () => st('choices.twoNotes')],
  ['ding', () => st('choices.oneNote')],
  ['none', () => st('choices.noSound')],
]
export const resolutions = (): readonly Option[] => [
  ['always', () => st('choices.allTopics')],
  ['except_followed', () => st('choices.exceptFollowed')],
  ['never', () => st('choices.noTopic')],
]
export const batchingPeriods = (): readonly Option[] =>
  durations(['minute', [1, 2, 5, 10, 30]], ['hour', [1, 2, 6, 12]], ['day', [1]], ['week', [1]])
export const namings = (): readonly Option[] => [
  [1, () => st('choices.automatic')],
  [2, () => st('choices.always')],
  [3, () => st('choices.notAtAll')],
]
export const counted = (): readonly Option[] => [
  [1, () => st('choices.allUnread')],
  [2, () => st('choices.callsAndFollowed')],
  [3, () => st('choices.calls')],
  [4, () => st('choices.noMessages')],
]
export const addressViewers = (): readonly Option[] => [
  [1, () => st('choices.allUsers')],
  [2, () => st('choices.members')],
  [5, () => st('choices.moderators')],
  [3, () => st('choices.administrators')],
  [4, () => st('choices.noUser')],
]

/** The user's own settings. */
export const ownSections: readonly Section[] = [
  { id: 'profile', icon: 'smile', parts: [{ shows: Profile, names: ['full_name', 'timezone'] }] },
  {
    id: 'account',
    icon: 'lock',
    parts: [{ shows: Account, names: ['password', 'email', 'second_factors', 'api_key', 'sessions', 'deactivation'] }],
  },
  {
    id: 'appearance',
    icon: 'sun',
    parts: [
      {
        title: 'parts.look',
        shows: Colours,
        names: ['color_scheme', 'default_language'],
        rows: [
          choice('web_font_size_px', textSizes),
          choice('web_line_height_percent', lineHeights),
          choice('twenty_four_hour_time', times),
          choice('web_home_view', firstViews),
        ],
      },
      {
        title: 'parts.list',
        rows: [
          choice('demote_inactive_streams', demotions),
          toggle('web_left_sidebar_show_channel_folders'),
          toggle('web_left_sidebar_unreads_count_summary'),
        ],
      },
      {
        title: 'parts.writing',
        rows: [
          toggle('translate_emoticons'),
          toggle('enable_drafts_synchronization'),
          toggle('receives_typing_notifications'),
        ],
      },
    ],
  },
  {
    id: 'notifications',
    icon: 'bell',
    parts: [
      { shows: NotificationPermission },
      {
        title: 'parts.notify',
        rows: [
          toggle('enable_desktop_notifications'),
          toggle('enable_followed_topic_desktop_notifications'),
          toggle('enable_stream_desktop_notifications'),
        ],
      },
      {
        title: 'parts.push',
        shows: PushDevices,
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
        title: 'parts.play',
        rows: [
          toggle('enable_sounds'),
          toggle('enable_followed_topic_audible_notifications'),
          toggle('enable_stream_audible_notifications'),
          choice('notification_sound', sounds),
        ],
      },
      { shows: SoundSample },
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
    ],
  },
  {
    id: 'privacy',
    icon: 'eye',
    parts: [
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
      { title: 'parts.mails', rows: [toggle('enable_login_emails'), toggle('enable_digest_emails')] },
      { title: 'parts.exports', rows: [toggle('allow_private_data_export')] },
    ],
  },
  { id: 'bots', icon: 'code', parts: [{ shows: Bots }], isFor: state => !isGuest(state) },
  { id: 'alert-words', icon: 'quote', parts: [{ shows: AlertWords }] },
  { id: 'muted-topics', icon: 'muted', parts: [{ shows: MutedTopics }] },
  { id: 'muted-people', icon: 'people', parts: [{ shows: MutedPeople }] },
]

import { numberText } from '../../../language/format.js'
import { languages, locale } from '../../../language/language.js'
import { st } from '../../../language/settings-language.js'
import { type Option, rowsOf } from '../rows.js'
import type { Section } from '../section.js'
import { OrganizationPictures } from './pictures.js'

const { toggle, choice, text, markdown, channel } = rowsOf('organization')

const kinds = [0, 10, 20, 30, 35, 40, 50, 60, 70, 80, 90, 100, 1000] as const
const kindOptions = (): readonly Option[] => kinds.map(kind => [kind, () => st(`choices.organization.${kind}`)])
const languageOptions = (): readonly Option[] => Object.entries(languages).map(([code, { name }]) => [code, () => name])
const previewSizes = (): readonly Option[] =>
  [100, 150, 200].map(size => [size, () => st('choices.percent', numberText(size))])
const ratings = (): readonly Option[] => [
  [0, () => st('choices.noGifs')],
  ...(['Y', 'G', 'PG', 'PG-13', 'R'] as const).map((rating, at): Option => [at + 1, () => rating]),
]
const callProviders = (): readonly Option[] => [
  [0, () => st('choices.noCalls')],
  [1, () => st('choices.jitsi')],
]

// The first of January 2024 was a Monday.
const weekdays = (): readonly Option[] =>
  Array.from({ length: 7 }, (_, day) => [
    day,
    () => new Date(2024, 0, 1 + day).toLocaleDateString(locale(), { weekday: 'long' }),
  ])

/** What the organization is, and what its pages and messages show. */
export const general: Section = {
  id: 'general',
  icon: 'star',
  parts: [
    {
      title: 'parts.identity',
      rows: [
        text('name', 40),
        markdown('description', 1000, 4),
        choice('org_type', kindOptions),
        choice('default_language', languageOptions),
      ],
    },
    { title: 'rows.icon', shows: OrganizationPictures, names: ['icon'] },
    {
      title: 'parts.announcements',
      rows: [channel('new_stream_announcements_stream_id'), channel('signup_announcements_stream_id')],
    },
    {
      title: 'parts.content',
      rows: [
        toggle('inline_image_preview'),
        toggle('inline_url_embed_preview'),
        choice('media_preview_size', previewSizes),
        text('default_code_block_language', 30),
        choice('video_chat_provider', callProviders),
        text('jitsi_server_url', 200),
        choice('gif_rating_policy', ratings),
      ],
    },
    {
      title: 'parts.mails',
      rows: [
        toggle('message_content_allowed_in_email_notifications'),
        toggle('send_welcome_emails'),
        toggle('digest_emails_enabled'),
        choice('digest_weekday', weekdays),
      ],
    },
    {
      title: 'parts.guests',
      rows: [
        toggle('enable_guest_user_indicator'),
        toggle('enable_guest_user_dm_warning'),
        toggle('enable_spectator_access'),
      ],
    },
  ],
}

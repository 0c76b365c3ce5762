import { searchLanguages } from '../../../../../shared/resources/realm-settings.js'
import { listText, titled } from '../../../language/format.js'
import { locale } from '../../../language/language.js'
import { st } from '../../../language/settings-language.js'
import { amount, durations } from '../durations.js'
import { type Option, rowsOf } from '../rows.js'
import type { Section } from '../section.js'

const { toggle, choice, channel } = rowsOf('organization')

const limits = (): readonly Option[] => [
  ...durations(['minute', [1, 2, 5, 10, 15, 30]], ['hour', [1, 2, 6, 12]], ['day', [1, 2, 3]], ['week', [1, 2, 4]]),
  [null, () => st('choices.unlimited')],
]

const retention = (): readonly Option[] => [
  [-1, () => st('choices.forever')],
  ...[1, 7, 30, 60, 90, 180].map((days): Option => [days, () => amount(days, 'day')]),
  ...[1, 2, 3, 5, 10].map((years): Option => [years * 365, () => amount(years, 'year')]),
]

const versions = (): readonly Option[] => [
  ['all', () => st('choices.allVersions')],
  ['moves', () => st('choices.movesOnly')],
  ['none', () => st('choices.noVersions')],
]

const topics = (): readonly Option[] => [
  ['allow_empty_topic', () => st('choices.anyTopic')],
  ['disable_empty_topic', () => st('choices.needTopic')],
]

/** Each language alone, and beside English. */
const languages = (): readonly Option[] => {
  const names = new Intl.DisplayNames(locale(), { type: 'language' })
  const named = (codes: readonly string[]): Option => [
    codes.join(),
    () =>
      titled(
        listText(
          codes.map(code => names.of(code) ?? code),
          'and',
        ),
      ),
  ]
  const others = searchLanguages.filter(code => code !== 'en')
  return [
    ['none', () => st('choices.noLanguage')],
    named(['en']),
    ...others.flatMap(code => [named([code]), named([code, 'en'].sort())]),
  ]
}

/** How long messages can be changed, and how long they are kept. */
export const messages: Section = {
  id: 'messages',
  icon: 'topic',
  parts: [
    {
      title: 'parts.edit',
      rows: [
        toggle('allow_message_editing'),
        choice('message_content_edit_limit_seconds', limits),
        choice('message_edit_history_visibility_policy', versions),
      ],
    },
    { title: 'parts.delete', rows: [choice('message_content_delete_limit_seconds', limits)] },
    {
      title: 'parts.move',
      rows: [
        choice('move_messages_within_stream_limit_seconds', limits),
        choice('move_messages_between_streams_limit_seconds', limits),
      ],
    },
    { title: 'parts.topics', rows: [choice('topics_policy', topics)] },
    { title: 'parts.search', rows: [choice('search_languages', languages)] },
    { title: 'parts.reading', rows: [toggle('enable_read_receipts')] },
    { title: 'parts.keep', rows: [choice('message_retention_days', retention)] },
    {
      title: 'parts.notices',
      rows: [toggle('send_channel_events_messages'), channel('moderation_request_channel_id')],
    },
  ],
}

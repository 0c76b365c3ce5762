import { createMemo, For, type JSX } from 'solid-js'
import { visibilityPolicy } from '../../../../../shared/resources/user-topic.js'
import { byText } from '../../../language/format.js'
import { t } from '../../../language/language.js'
import { useChat } from '../../chat.js'
import { useSaving } from '../../dialogs/saving.js'
import { placeName } from '../../names.js'
import { EntryRow } from '../entry-row.js'

/** The topics that the user muted, to unmute them. */
export function MutedTopics(): JSX.Element {
  const chat = useChat()
  const { save } = useSaving()
  const muted = createMemo(() =>
    Object.values(chat.state.user_topics)
      .flatMap(topics => Object.values(topics))
      .filter(topic => topic.visibility_policy === visibilityPolicy.muted)
      .map(({ stream_id, topic_name }) => ({
        stream_id,
        topic: topic_name,
        name: placeName(chat.state, { channelId: stream_id, topic: topic_name }),
      }))
      .sort((a, b) => byText(a.name, b.name)),
  )
  return (
    <ul class="choices" aria-label={t('settings.tabs.mutedTopics')}>
      <For each={muted()} fallback={<li class="quiet">{t('settings.noMutedTopics')}</li>}>
        {({ stream_id, topic, name }) => (
          <EntryRow
            text={name}
            title={t('words.unmute')}
            label={t('words.unmuteOne', name)}
            work={() => save('POST', '/user_topics', { stream_id, topic, visibility_policy: visibilityPolicy.inherit })}
          />
        )}
      </For>
    </ul>
  )
}

import { createMemo, createResource, createSignal, For, type JSX, Show } from 'solid-js'
import { isMuted } from '../../../../../shared/events/unread.js'
import { listText } from '../../../language/format.js'
import { t } from '../../../language/language.js'
import { SearchField } from '../../../look/search-field.js'
import { findTopics, isFollowed, isResolved } from '../../../state/topics.js'
import { unreadOfTopic } from '../../../state/unread.js'
import { useChat } from '../../chat.js'
import { topicName } from '../../names.js'
import { Count } from '../../sidebar/count.js'
import { fetchTopics } from '../../topics.js'
import { useView } from '../../view.js'

const shownAtMost = 100

/** All topics of a channel, the newest first, with a search. */
export function ChannelTopics(props: { channelId: number }): JSX.Element {
  const chat = useChat()
  const view = useView()
  const [words, setWords] = createSignal('')
  const [fetching] = createResource(
    () => props.channelId,
    async id => {
      await fetchTopics(chat, id)
      return true
    },
  )
  const found = createMemo(() => findTopics(chat.state, props.channelId, words()))
  const marks = (topic: string) =>
    [
      isResolved(topic) && t('channel.mark.resolved'),
      isFollowed(chat.state, props.channelId, topic) && t('channel.mark.followed'),
      isMuted(chat.state, props.channelId, topic) && t('channel.mark.muted'),
    ].filter(mark => mark !== false)
  return (
    <>
      <SearchField label={t('channel.findTopic')} typed={setWords} />
      <Show when={!fetching.error} fallback={<p class="notice bad">{(fetching.error as Error).message}</p>}>
        <ul class="choices" aria-label={t('channel.topics')}>
          <For
            each={found().slice(0, shownAtMost)}
            fallback={<li class="quiet">{fetching.loading ? '' : t('channel.noTopic')}</li>}
          >
            {topic => (
              <li>
                <button
                  type="button"
                  class="choice-main topic-choice"
                  onClick={() => {
                    view.go({ kind: 'topic', channelId: props.channelId, topic: topic.name })
                    view.open(undefined)
                  }}
                >
                  <span class="choice-words">
                    <strong dir="auto">{topicName(chat.state, topic.name)}</strong>
                    <small class="quiet">{listText(marks(topic.name))}</small>
                  </span>
                  <Count
                    of={unreadOfTopic(chat.state, props.channelId, topic.name)}
                    isQuiet={isMuted(chat.state, props.channelId, topic.name)}
                  />
                </button>
              </li>
            )}
          </For>
        </ul>
        <Show when={found().length > shownAtMost}>
          <p class="quiet">{t('channel.andMore', found().length - shownAtMost)}</p>
        </Show>
      </Show>
    </>
  )
}

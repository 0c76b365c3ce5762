import { createEffect, createMemo, createSignal, For, type JSX, Show } from 'solid-js'
import { isMuted } from '../../../../shared/events/unread.js'
import { topicKey } from '../../../../shared/resources/topic.js'
import { t } from '../../language/language.js'
import { Icon } from '../../look/icon.js'
import { isResolved } from '../../state/topics.js'
import { unreadOfTopic } from '../../state/unread.js'
import { useChat } from '../chat.js'
import { topicName } from '../names.js'
import { fetchTopics } from '../topics.js'
import { useView } from '../view.js'
import { Count } from './count.js'
import { ViewLink } from './view-link.js'

// The other topics are one click away.
const shownAtFirst = 8

/** Topics of the open channel, the newest first; fetched if they are unknown. */
export function TopicList(props: { channelId: number }): JSX.Element {
  const chat = useChat()
  const view = useView()
  const [isWhole, setWhole] = createSignal(false)
  createEffect(() => {
    fetchTopics(chat, props.channelId).catch(error => chat.say(t('sidebar.topicsFailed', error.message), 'bad'))
  })
  // By name: the row of a topic stays when the topic gets a message, and while the list is fetched again.
  const topics = createMemo<readonly string[]>(
    last => chat.state.topics[props.channelId]?.map(({ name }) => name) ?? last,
    [],
  )
  const openKey = () => {
    const narrow = view.narrow()
    return narrow?.kind === 'topic' && narrow.channelId === props.channelId ? topicKey(narrow.topic) : undefined
  }
  const shown = createMemo(() =>
    topics().filter(
      (topic, index) =>
        isWhole() ||
        index < shownAtFirst ||
        topicKey(topic) === openKey() ||
        unreadOfTopic(chat.state, props.channelId, topic) > 0,
    ),
  )
  return (
    <ul class="topics" aria-label={t('sidebar.topics')}>
      <For each={shown()}>
        {topic => (
          <li>
            <ViewLink
              narrow={{ kind: 'topic', channelId: props.channelId, topic }}
              isOpen={openKey() === topicKey(topic)}
              class="topic-row"
              classList={{
                muted: isMuted(chat.state, props.channelId, topic),
                resolved: isResolved(topic),
              }}
            >
              <span class="row-name" dir="auto">
                {topicName(chat.state, topic)}
              </span>
              <Show when={isMuted(chat.state, props.channelId, topic)}>
                <span class="row-mark" title={t('sidebar.muted')}>
                  <Icon name="muted" size={12} />
                </span>
              </Show>
              <Count
                of={unreadOfTopic(chat.state, props.channelId, topic)}
                isQuiet={isMuted(chat.state, props.channelId, topic)}
              />
            </ViewLink>
          </li>
        )}
      </For>
      <Show when={shown().length < topics().length}>
        <li>
          <button type="button" class="row topic-row more" tabIndex={-1} onClick={() => setWhole(true)}>
            {t('sidebar.more', topics().length - shown().length)}
          </button>
        </li>
      </Show>
    </ul>
  )
}

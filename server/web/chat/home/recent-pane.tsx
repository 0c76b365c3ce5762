import { createEffect, createMemo, For, type JSX, Show } from 'solid-js'
import { t } from '../../language/language.js'
import { Icon } from '../../look/icon.js'
import { type Narrow, narrowOfPlace } from '../../state/narrow.js'
import { type RecentPlace, recentPlaces } from '../../state/recent.js'
import { Avatar, ConversationFaces } from '../avatar.js'
import { ChannelSign } from '../channel-sign.js'
import { useChat } from '../chat.js'
import { loadOlder, openView } from '../history.js'
import { conversationName, topicName } from '../names.js'
import { Count } from '../sidebar/count.js'
import { useView } from '../view.js'
import { HomeHead } from './home-head.js'
import { LastMoment, LastWords } from './last-message.js'

const narrow: Narrow = { kind: 'recent' }

/** Topics and conversations by their newest message. */
export function RecentPane(): JSX.Element {
  const chat = useChat()
  const feed = () => chat.state.feeds.recent
  createEffect(() => {
    if (!feed()) void openView(chat, narrow)
  })
  const places = createMemo(() => {
    const known = feed()
    return known ? recentPlaces(chat.state, known) : []
  })
  return (
    <main class="pane">
      <HomeHead title={t('view.recent')} />
      <div class="home-list" aria-busy={feed()?.isLoading}>
        <ul class="rows">
          {/* By keys, so that a new message keeps the other rows, and the focus. */}
          <For each={places().map(place => place.key)} fallback={<Empty />}>
            {key => <Show when={places().find(place => place.key === key)}>{recent => <Row recent={recent()} />}</Show>}
          </For>
        </ul>
        <Show when={feed() && places().length > 0 && !feed()?.foundOldest}>
          <button
            type="button"
            class="button"
            disabled={feed()?.isLoading}
            onClick={() => void loadOlder(chat, narrow)}
          >
            {t('home.older')}
          </button>
        </Show>
      </div>
    </main>
  )
}

function Empty(): JSX.Element {
  const chat = useChat()
  const view = useView()
  const feed = () => chat.state.feeds.recent
  return (
    <li class="home-empty">
      <Show when={!feed()?.isLoading} fallback={t('words.loading')}>
        <Icon name="topic" size={36} />
        {feed()?.error ?? t('home.empty')}
        <Show
          when={feed()?.error}
          fallback={
            <button type="button" class="button" onClick={() => view.open('new-direct')}>
              {t('sidebar.newDirect')}
            </button>
          }
        >
          <button type="button" class="button" onClick={() => void openView(chat, narrow)}>
            {t('words.tryAgain')}
          </button>
        </Show>
      </Show>
    </li>
  )
}

function Row(props: { recent: RecentPlace }): JSX.Element {
  const chat = useChat()
  const view = useView()
  const channel = () => ('direct' in props.recent.place ? undefined : props.recent.place)
  const direct = () => ('direct' in props.recent.place ? props.recent.place.direct : '')
  const name = () => {
    const { place } = props.recent
    return 'direct' in place ? conversationName(chat.state, place.direct) : topicName(chat.state, place.topic)
  }
  return (
    <li>
      <button type="button" class="row recent-row" onClick={() => view.go(narrowOfPlace(props.recent.place))}>
        <span class="last-face">
          <Show when={channel()} fallback={<ConversationFaces of={direct()} />}>
            <Avatar userId={props.recent.senderIds[0] as number} />
          </Show>
        </span>
        <span class="row-lines">
          <span class="recent-words">
            <Show when={channel()}>
              {at => (
                <small>
                  <ChannelSign id={at().channelId} />
                  <bdi>{chat.state.subscriptions[at().channelId]?.name}</bdi>
                  <span aria-hidden="true"> ›</span>
                </small>
              )}
            </Show>
            <span class="recent-name" dir="auto">
              {name()}
            </span>
          </span>
          <LastWords id={props.recent.newestId} rowName={name()} />
        </span>
        <Count of={props.recent.unread} />
        <span class="faces">
          <For each={props.recent.senderIds.slice(1)}>{id => <Avatar userId={id} size="small" />}</For>
        </span>
        <LastMoment id={props.recent.newestId} />
      </button>
    </li>
  )
}

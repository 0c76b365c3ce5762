import { createEffect, createMemo, For, type JSX, Show } from 'solid-js'
import { locale, t } from '../../language/language.js'
import { Icon } from '../../look/icon.js'
import { type Narrow, narrowOfPlace } from '../../state/narrow.js'
import { type RecentPlace, recentPlaces } from '../../state/recent.js'
import { timeOfDay } from '../../state/times.js'
import { Avatar } from '../avatar.js'
import { ChannelSign } from '../channel-sign.js'
import { useChat } from '../chat.js'
import { loadOlder, openView } from '../history.js'
import { conversationName, nameOf, topicName } from '../names.js'
import { Count } from '../sidebar/count.js'
import { useView } from '../view.js'
import { HomeHead } from './home-head.js'

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
  const feed = () => chat.state.feeds.recent
  return (
    <li class="home-empty">
      <Show when={!feed()?.isLoading} fallback={t('words.loading')}>
        <Icon name="topic" size={36} />
        {feed()?.error ?? t('home.empty')}
        <Show when={feed()?.error}>
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
  const name = () => {
    const { place } = props.recent
    return 'direct' in place ? conversationName(chat.state, place.direct) : topicName(chat.state, place.topic)
  }
  return (
    <li>
      <button type="button" class="row recent-row" onClick={() => view.go(narrowOfPlace(props.recent.place))}>
        <Show when={channel()} fallback={<Icon name="mention" />}>
          {at => <ChannelSign id={at().channelId} />}
        </Show>
        <span class="recent-words">
          <Show when={channel()}>
            {at => (
              <small>
                <bdi>{chat.state.subscriptions[at().channelId]?.name}</bdi>
                <span aria-hidden="true"> ›</span>
              </small>
            )}
          </Show>
          <span class="recent-name" dir="auto">
            {name()}
          </span>
        </span>
        <Count of={props.recent.unread} />
        <span class="faces">
          <For each={props.recent.senderIds}>{id => <Avatar userId={id} size="small" />}</For>
          <span class="unseen">{t('home.lastFrom', nameOf(chat.state, props.recent.senderIds[0] as number))}</span>
        </span>
        <Moment id={props.recent.newestId} />
      </button>
    </li>
  )
}

function Moment(props: { id: number }): JSX.Element {
  const chat = useChat()
  const time = () => new Date((chat.state.messages[props.id]?.timestamp ?? 0) * 1000)
  const words = () =>
    time().toDateString() === new Date().toDateString()
      ? time().toLocaleTimeString(locale(), timeOfDay(chat.state))
      : time().toLocaleDateString(locale(), { day: 'numeric', month: 'short' })
  return (
    <time class="recent-time" dateTime={time().toISOString()} title={time().toLocaleString(locale())}>
      {words()}
    </time>
  )
}

import { createEffect, type JSX, on, Show } from 'solid-js'
import { Icon } from '../../look/icon.js'
import { channelOf } from '../../state/channels.js'
import { addressOf, type Narrow } from '../../state/narrow.js'
import { useChat } from '../chat.js'
import { Composer } from '../composer/composer.js'
import { openView } from '../history.js'
import { useView } from '../view.js'
import { FeedHead } from './feed-head.js'
import { FeedList } from './feed-list.js'
import { Typing } from './typing.js'

/** A view: its head, its messages and the composer. */
export function FeedPane(props: { narrow: Narrow }): JSX.Element {
  const chat = useChat()
  const address = () => addressOf(props.narrow)
  const feed = () => chat.state.feeds[address()]
  const isUnknown = () => 'channelId' in props.narrow && channelOf(chat.state, props.narrow.channelId) === undefined
  // Also after the state was replaced, since a new state has no views.
  createEffect(
    on([address, isUnknown, () => feed() === undefined], () => {
      if (!isUnknown()) void openView(chat, props.narrow)
    }),
  )
  // Repeats a fetch that failed without a connection.
  createEffect(
    on(chat.phase, phase => {
      if (phase === 'live' && feed()?.error) void openView(chat, props.narrow)
    }),
  )
  return (
    <main class="pane">
      <FeedHead narrow={props.narrow} />
      <Show when={!isUnknown()} fallback={<UnknownChannel />}>
        <Show when={address()} keyed>
          <Show when={feed()} fallback={<div class="feed" />}>
            {known => <FeedList feed={known()} />}
          </Show>
        </Show>
        <Typing narrow={props.narrow} />
        <Composer narrow={props.narrow} />
      </Show>
    </main>
  )
}

function UnknownChannel(): JSX.Element {
  const view = useView()
  return (
    <div class="feed">
      <div class="feed-empty">
        <Icon name="topic" size={36} />
        <p>This channel does not exist, or it is private and you are not subscribed to it.</p>
        <button type="button" class="button" onClick={() => view.open('channels')}>
          Show all channels
        </button>
      </div>
    </div>
  )
}

import { createMemo, For, type JSX, Show } from 'solid-js'
import { Icon } from '../../look/icon.js'
import { channelOf } from '../../state/channels.js'
import type { ChatState } from '../../state/chat-state.js'
import { unreadOfChannel } from '../../state/unread.js'
import { useChat } from '../chat.js'
import { useView } from '../view.js'
import { ChannelSign } from './channel-sign.js'
import { Count } from './count.js'
import { TopicList } from './topic-list.js'

/** The user's channels: pinned ones first, muted ones last, by name within each group. */
export function channelsInOrder(state: ChatState): number[] {
  const rank = (id: number) => {
    const own = state.subscriptions[id]
    return own?.pin_to_top ? 0 : own?.is_muted ? 2 : 1
  }
  const name = (id: number) => channelOf(state, id)?.name.toLowerCase() ?? ''
  return Object.keys(state.subscriptions)
    .map(Number)
    .filter(id => channelOf(state, id)?.is_archived === false)
    .sort((a, b) => rank(a) - rank(b) || name(a).localeCompare(name(b)))
}

export function ChannelList(): JSX.Element {
  const chat = useChat()
  const view = useView()
  const ids = createMemo(() => channelsInOrder(chat.state))
  const openChannel = () => {
    const narrow = view.narrow()
    return narrow?.kind === 'channel' || narrow?.kind === 'topic' ? narrow.channelId : undefined
  }
  return (
    <section aria-labelledby="channels-title">
      <div class="rows-head">
        <h2 id="channels-title">Channels</h2>
        <button
          type="button"
          class="icon-button small"
          onClick={() => view.open('channels')}
          aria-label="Browse channels"
          title="Browse channels"
        >
          <Icon name="plus" size={16} />
        </button>
      </div>
      <ul class="rows">
        <For each={ids()}>
          {id => (
            <li>
              <button
                type="button"
                class="row"
                classList={{ muted: chat.state.subscriptions[id]?.is_muted }}
                aria-current={openChannel() === id ? 'page' : undefined}
                onClick={() => view.go({ kind: 'channel', channelId: id })}
              >
                <ChannelSign id={id} />
                <span class="row-name">{channelOf(chat.state, id)?.name}</span>
                <Show when={chat.state.subscriptions[id]?.pin_to_top}>
                  <span class="row-mark" title="Pinned">
                    <Icon name="pin" size={13} />
                  </span>
                </Show>
                <Show when={chat.state.subscriptions[id]?.is_muted}>
                  <span class="row-mark" title="Muted">
                    <Icon name="muted" size={13} />
                  </span>
                </Show>
                <Count of={unreadOfChannel(chat.state, id)} isQuiet={chat.state.subscriptions[id]?.is_muted} />
              </button>
              <Show when={openChannel() === id}>
                <TopicList channelId={id} />
              </Show>
            </li>
          )}
        </For>
      </ul>
    </section>
  )
}

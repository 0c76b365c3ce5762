import { createMemo, createSignal, For, type JSX, Show } from 'solid-js'
import { unwrap } from 'solid-js/store'
import { byText } from '../../language/format.js'
import { t } from '../../language/language.js'
import { SearchField } from '../../look/search-field.js'
import { channelOf, openChannels } from '../../state/channels.js'
import { bestMatches } from '../../state/completion.js'
import { ChannelSign } from '../channel-sign.js'
import { useChat } from '../chat.js'
import { Description } from '../description.js'
import { useView } from '../view.js'
import { Dialog } from './dialog.js'

const shownAtMost = 60

/** All channels that the user may know of, to join, leave or open them. */
export function BrowseChannels(): JSX.Element {
  const chat = useChat()
  const view = useView()
  const [words, setWords] = createSignal('')
  const found = createMemo(() => {
    const all = openChannels(unwrap(chat.state))
    all.sort((a, b) => byText(a.name, b.name))
    return bestMatches(all, channel => channel.name, words(), shownAtMost).map(channel => channel.stream_id)
  })
  const toggle = (id: number) => {
    const name = channelOf(chat.state, id)?.name
    const isIn = chat.state.subscriptions[id] !== undefined
    const change = isIn
      ? chat.ask('DELETE', '/users/me/subscriptions', { subscriptions: [name] })
      : chat.ask('POST', '/users/me/subscriptions', { subscriptions: [{ name }] })
    change.catch(chat.sayFailure)
  }
  return (
    <Dialog title={t('channels.title')}>
      <div class="dialog-bar">
        <SearchField label={t('channels.find')} isFirst typed={setWords} />
        <Show when={chat.state.can_create_public_streams}>
          <button type="button" class="button" onClick={() => view.open('create-channel')}>
            {t('channels.create')}
          </button>
        </Show>
      </div>
      <ul class="choices">
        <For each={found()}>
          {id => (
            <li class="choice">
              <button
                type="button"
                class="choice-main"
                onClick={() => {
                  view.open(undefined)
                  view.go({ kind: 'channel', channelId: id })
                }}
              >
                <ChannelSign id={id} />
                <span class="choice-words">
                  <strong dir="auto">{channelOf(chat.state, id)?.name}</strong>
                  <small>
                    <Description html={channelOf(chat.state, id)?.rendered_description} isText />
                  </small>
                </span>
                <small>{t('channels.people', channelOf(chat.state, id)?.subscriber_count ?? 0)}</small>
              </button>
              <button
                type="button"
                class="button"
                aria-pressed={chat.state.subscriptions[id] !== undefined}
                onClick={() => toggle(id)}
              >
                {chat.state.subscriptions[id] ? t('words.leave') : t('words.join')}
              </button>
            </li>
          )}
        </For>
      </ul>
    </Dialog>
  )
}

import { createMemo, createSignal, For, type JSX, Show } from 'solid-js'
import { unwrap } from 'solid-js/store'
import { byText } from '../../language/format.js'
import { t } from '../../language/language.js'
import { SearchField } from '../../look/search-field.js'
import { channelOf, openChannels } from '../../state/channels.js'
import { bestMatches } from '../../state/completion.js'
import { mayCreateChannels } from '../../state/permissions.js'
import { ChannelSign } from '../channel-sign.js'
import { useChat } from '../chat.js'
import { Description } from '../description.js'
import { subscribe, unsubscribe } from '../subscribing.js'
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
  return (
    <Dialog title={t('channels.title')}>
      <div class="dialog-bar">
        <SearchField label={t('channels.find')} isFirst typed={setWords} />
        <Show when={mayCreateChannels(chat.state)}>
          <button type="button" class="button" onClick={() => view.open('create-channel')}>
            {t('channels.create')}
          </button>
        </Show>
      </div>
      <ul class="choices">
        <For each={found()}>{id => <Row id={id} />}</For>
      </ul>
    </Dialog>
  )
}

function Row(props: { id: number }): JSX.Element {
  const chat = useChat()
  const view = useView()
  const channel = () => channelOf(chat.state, props.id)
  const isIn = () => chat.state.subscriptions[props.id] !== undefined
  const open = () => {
    view.open(undefined)
    view.go({ kind: 'channel', channelId: props.id })
  }
  const toggle = () => {
    const name = channel()?.name ?? ''
    void chat.attempt(() => (isIn() ? unsubscribe(chat, name) : subscribe(chat, name)))
  }
  return (
    <li class="choice">
      <button type="button" class="choice-main" onClick={open}>
        <ChannelSign id={props.id} />
        <span class="choice-words">
          <strong dir="auto">{channel()?.name}</strong>
          <small>
            <Description html={channel()?.rendered_description} isText />
          </small>
        </span>
        <small>{t('channels.people', channel()?.subscriber_count ?? 0)}</small>
      </button>
      <button type="button" class="button" aria-pressed={isIn()} onClick={toggle}>
        {isIn() ? t('words.leave') : t('words.join')}
      </button>
    </li>
  )
}

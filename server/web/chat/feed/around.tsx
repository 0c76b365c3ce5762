import { For, type JSX, Show } from 'solid-js'
import { t } from '../../language/language.js'
import type { Message } from '../../state/chat-state.js'
import { addressOf, type SearchNarrow } from '../../state/narrow.js'
import { useChat } from '../chat.js'
import { toggleAround } from '../history.js'
import { placeNarrow } from '../message-deeds.js'
import { useView } from '../view.js'
import { Body, Head } from './message-row.js'

interface AroundProps {
  readonly message: Message
  readonly narrow: SearchNarrow
}

/** A result of a search, with the messages before and after it where the user wants to see them. */
export function Around(props: AroundProps & { children: JSX.Element }): JSX.Element {
  const chat = useChat()
  const ids = () => chat.state.feeds[addressOf(props.narrow)]?.around[props.message.id]
  const isShown = () => ids() !== undefined
  const toggle = () => chat.attempt(() => toggleAround(chat, props.narrow, props.message))
  return (
    <div classList={{ 'with-around': isShown() }}>
      <Neighbours ids={ids()?.filter(id => id < props.message.id)} />
      {props.children}
      <Neighbours ids={ids()?.filter(id => id > props.message.id)} />
      <p class="around-tools">
        <Show when={ids()?.length === 0}>{t('search.nothingAround')} </Show>
        <button type="button" class="link-button" aria-expanded={isShown()} onClick={() => void toggle()}>
          {isShown() ? t('search.hideAround') : t('search.showAround')}
        </button>
      </p>
    </div>
  )
}

function Neighbours(props: { ids: readonly number[] | undefined }): JSX.Element {
  const chat = useChat()
  return (
    <For each={props.ids}>
      {id => <Show when={chat.state.messages[id]}>{message => <Neighbour message={message()} />}</Show>}
    </For>
  )
}

function Neighbour(props: { message: Message }): JSX.Element {
  const chat = useChat()
  const view = useView()
  return (
    <article class="neighbour">
      <Head message={props.message} />
      <Body message={props.message} match={undefined} isMentioned={false} />
      <button
        type="button"
        class="link-button"
        onClick={() => view.go(placeNarrow(chat, props.message), { near: props.message.id })}
      >
        {t('search.goThere')}
      </button>
    </article>
  )
}

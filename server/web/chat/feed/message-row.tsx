import { createEffect, createMemo, createSignal, type JSX, lazy, Show, Suspense } from 'solid-js'
import { alertPattern } from '../../state/alert-words.js'
import type { Message } from '../../state/chat-state.js'
import { personOf } from '../../state/people.js'
import { mentionFlags } from '../../state/place.js'
import { timeOfDay } from '../../state/times.js'
import { Avatar } from '../avatar.js'
import { useChat } from '../chat.js'
import { markWords } from '../mark-words.js'
import { markupOf, readerOf } from '../markup.js'
import { StatusSign } from '../status-sign.js'
import { useView } from '../view.js'
import { EditBox } from './edit-box.js'
import { MessageTools } from './message-tools.js'
import { choosePicture } from './pictures.js'
import { Reactions } from './reactions.js'

const Widget = lazy(async () => ({ default: (await import('./widget.js')).Widget }))

/** One message. `isHead`: show its sender; the messages that continue it do not. */
export function MessageRow(props: { message: Message; isHead: boolean }): JSX.Element {
  const chat = useChat()
  const view = useView()
  const [isActive, setActive] = createSignal(false)
  const isMentioned = createMemo(() => props.message.flags.some(flag => mentionFlags.has(flag)))
  const time = () => new Date(props.message.timestamp * 1000)
  const sender = () => personOf(chat.state, props.message.sender_id)?.full_name ?? props.message.sender_full_name
  // Forms of programs are shown as their text.
  const isWidget = createMemo(() => /"widget_type":"(?:poll|todo)"/.test(props.message.submessages[0]?.content ?? ''))
  const openCard = () => view.open({ person: props.message.sender_id })
  const isEditing = () => view.editing() === props.message.id
  return (
    <article
      class="message"
      classList={{
        head: props.isHead || props.message.is_me_message,
        mentioned: isMentioned(),
        alerted: props.message.flags.includes('has_alert_word'),
        unread: !props.message.flags.includes('read'),
      }}
      data-message-id={props.message.id}
      // A finger leaves before the click comes: touch and keyboard show the tools by the focus. A mouse may be there already when the focus goes.
      onPointerMove={event => event.pointerType === 'mouse' && setActive(true)}
      onPointerLeave={event =>
        event.pointerType === 'mouse' && setActive(event.currentTarget.contains(document.activeElement))
      }
      onFocusIn={() => setActive(true)}
      onFocusOut={event => setActive(event.currentTarget.contains(event.relatedTarget as Node))}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: in a feed the articles take the focus (ARIA's feed pattern), and show their tools.
      tabIndex={0}
    >
      <Show when={props.isHead && !props.message.is_me_message} fallback={<Time time={time()} class="side-time" />}>
        {/* The name beside it is the same button for the keyboard and screen readers. */}
        <button type="button" class="avatar-button" tabIndex={-1} aria-hidden="true" onClick={openCard}>
          <Avatar userId={props.message.sender_id} />
        </button>
      </Show>
      <div class="message-body">
        <Show when={props.isHead && !props.message.is_me_message}>
          <p class="message-head">
            <button type="button" class="sender" aria-haspopup="dialog" onClick={openCard}>
              {sender()}
            </button>
            <StatusSign userId={props.message.sender_id} />
            <Show when={personOf(chat.state, props.message.sender_id)?.is_bot}>
              <span class="tag">bot</span>
            </Show>
            <Time time={time()} class="time" />
          </p>
        </Show>
        <Show when={!isEditing()} fallback={<EditBox message={props.message} />}>
          <Show when={props.message.is_me_message}>
            <button type="button" class="sender" aria-haspopup="dialog" onClick={openCard}>
              {sender()}
            </button>{' '}
          </Show>
          <Show when={isWidget()} fallback={<Content message={props.message} isMentioned={isMentioned()} />}>
            <Suspense>
              <Widget message={props.message} />
            </Suspense>
          </Show>
        </Show>
        <Show when={props.message.last_edit_timestamp}>
          <button
            type="button"
            class="edited"
            title="Show the changes"
            onClick={() => view.open({ aboutMessage: props.message.id })}
          >
            edited
          </button>
        </Show>
        <Show when={props.message.flags.includes('starred')}>
          <span class="starred" title="Starred">
            ★<span class="unseen">starred</span>
          </span>
        </Show>
        <Reactions message={props.message} />
      </div>
      <Show when={isActive() && !isEditing()}>
        <MessageTools message={props.message} />
      </Show>
    </article>
  )
}

function Time(props: { time: Date; class: string }): JSX.Element {
  const chat = useChat()
  return (
    <time class={props.class} dateTime={props.time.toISOString()} title={props.time.toLocaleString()}>
      {props.time.toLocaleTimeString(undefined, timeOfDay(chat.state))}
    </time>
  )
}

function Content(props: { message: Message; isMentioned: boolean }): JSX.Element {
  const chat = useChat()
  const html = () => props.message.match_content ?? props.message.content
  let place: HTMLDivElement | undefined
  const words = () => (props.message.flags.includes('has_alert_word') ? chat.state.alert_words : [])
  createEffect(() => {
    const content = markupOf(html(), readerOf(chat, props.isMentioned))
    const pattern = alertPattern(words())
    if (pattern) markWords(content, pattern)
    place?.replaceChildren(content)
  })
  const view = useView()
  const open = (event: MouseEvent) => {
    // With a key held the browser opens the link its own way.
    if (event.ctrlKey || event.metaKey || event.shiftKey || !choosePicture(event.target as Element)) return
    event.preventDefault()
    view.open('picture')
  }
  // biome-ignore lint/a11y/useKeyWithClickEvents: the click is that of a link, which the keyboard makes, too
  // biome-ignore lint/a11y/noStaticElementInteractions: as above
  return <div class="content" ref={place} onClick={open} />
}

import { createEffect, createMemo, createSignal, type JSX, Show, Suspense } from 'solid-js'
import { locale, t } from '../../language/language.js'
import { alertPattern } from '../../state/alert-words.js'
import type { Match, Message } from '../../state/chat-state.js'
import { personOf } from '../../state/people.js'
import { mentionFlags } from '../../state/place.js'
import { isReport } from '../../state/reports.js'
import { timeOfDay } from '../../state/times.js'
import { Avatar } from '../avatar.js'
import { useChat } from '../chat.js'
import { menuByPointer, menuByPress } from '../context-menu.js'
import { later } from '../later.js'
import { markWords } from '../mark-words.js'
import { markupOf, readerOf } from '../markup.js'
import { placeNarrow } from '../message-deeds.js'
import { dateText } from '../moment-text.js'
import { StatusSign } from '../status-sign.js'
import { useView } from '../view.js'
import { EditBox } from './edit-box.js'
import { MessageTools } from './message-tools.js'
import { pictureAt } from './pictures.js'
import { Reactions } from './reactions.js'
import { createToolsShown } from './tools-shown.js'

const ReportTools = later(async () => (await import('./report-tools.js')).ReportTools)
const GrowingText = later(async () => (await import('./growing-text.js')).GrowingText)
const Widget = later(async () => (await import('./widget.js')).Widget)

export interface MessageRowProps {
  readonly message: Message
  /** Show the sender; the messages that continue it do not. */
  readonly isHead: boolean
  /** What a search found in it. */
  readonly match: Match | undefined
  /** A click on it opens its conversation there. */
  readonly opens: boolean
}

// What takes clicks itself.
const taking = 'a, button, input, textarea, summary, audio, video, .widget, .message-tools, [popover]'

/** One message. */
export function MessageRow(props: MessageRowProps): JSX.Element {
  const chat = useChat()
  const view = useView()
  const tools = createToolsShown()
  const isMentioned = createMemo(() => props.message.flags.some(flag => mentionFlags.has(flag)))
  const isEditing = () => view.editing() === props.message.id
  const open = useOpening(props)
  const body = () => <Body message={props.message} match={props.match} isMentioned={isMentioned()} />
  return (
    <article
      class="message"
      classList={{
        head: props.isHead || props.message.is_me_message,
        mentioned: isMentioned(),
        alerted: props.message.flags.includes('has_alert_word'),
        unread: !props.message.flags.includes('read'),
        opens: props.opens,
        pointed: view.pointed() === props.message.id,
        selected: view.selection.has(props.message.id),
      }}
      data-message-id={props.message.id}
      onPointerMove={tools.pointerMove}
      onPointerLeave={tools.pointerLeave}
      onPointerDown={event => menuByPress(view, { messageId: props.message.id }, event)}
      onContextMenu={event => menuByPointer(view, { messageId: props.message.id }, event)}
      onClick={open}
      onKeyDown={event => event.key === 'Enter' && event.target === event.currentTarget && open(event)}
      onFocusIn={tools.focusIn}
      onFocusOut={tools.focusOut}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: in a feed the articles take the focus (ARIA's feed pattern), and show their tools.
      tabIndex={0}
    >
      <Show
        when={props.isHead && !props.message.is_me_message}
        fallback={<Time message={props.message} class="side-time" />}
      >
        <Face message={props.message} />
      </Show>
      <div class="message-body">
        <Show when={props.isHead && !props.message.is_me_message}>
          <Head message={props.message} />
        </Show>
        <Show when={!isEditing()} fallback={<EditBox message={props.message} />}>
          <Show when={props.message.is_me_message}>
            <Sender message={props.message} />{' '}
          </Show>
          <Show when={chat.state.growing[props.message.id]} fallback={body()}>
            {growing => (
              <Suspense fallback={body()}>
                <GrowingText message={props.message} growing={growing()} before={body()} />
              </Suspense>
            )}
          </Show>
        </Show>
        <Marks message={props.message} />
        <Reactions message={props.message} />
        <Show when={isReport(chat.state, props.message)}>
          <Suspense>
            <ReportTools report={props.message} />
          </Suspense>
        </Show>
      </div>
      <Show when={(tools.isShown() || view.reacting() === props.message.id) && !isEditing()}>
        <MessageTools message={props.message} />
      </Show>
    </article>
  )
}

/** What a click on a message, or Enter, does: it selects the message while others are selected, or opens its conversation where it is a result. */
function useOpening(props: MessageRowProps): (event: UIEvent) => void {
  const chat = useChat()
  const view = useView()
  return event => {
    const isEditing = view.editing() === props.message.id
    if (isEditing || view.contextMenu() || (event.target as Element).closest(taking)) return
    if (getSelection()?.isCollapsed === false) return
    // Once one message is selected, a click or a tap selects others.
    if (view.selection.ids().length > 0) view.selection.toggle(props.message.id)
    else if (props.opens) view.go(placeNarrow(chat, props.message), { near: props.message.id })
  }
}

interface OfMessage {
  readonly message: Message
}

const useCard = (props: OfMessage) => {
  const view = useView()
  return () => view.open({ person: props.message.sender_id })
}

/** The picture of the sender. The name beside it is the same button for the keyboard and screen readers. */
function Face(props: OfMessage): JSX.Element {
  return (
    <button type="button" class="avatar-button" tabIndex={-1} aria-hidden="true" onClick={useCard(props)}>
      <Avatar userId={props.message.sender_id} />
    </button>
  )
}

function Sender(props: OfMessage): JSX.Element {
  const chat = useChat()
  return (
    <button type="button" class="sender" dir="auto" aria-haspopup="dialog" onClick={useCard(props)}>
      {personOf(chat.state, props.message.sender_id)?.full_name ?? props.message.sender_full_name}
    </button>
  )
}

/** The sender and the time. */
export function Head(props: OfMessage): JSX.Element {
  const chat = useChat()
  return (
    <p class="message-head">
      <Sender message={props.message} />
      <StatusSign userId={props.message.sender_id} />
      <Show when={personOf(chat.state, props.message.sender_id)?.is_bot}>
        <span class="tag">{t('words.bot')}</span>
      </Show>
      <Time message={props.message} class="time" />
    </p>
  )
}

/** What stands below the text: that the message was edited, is starred, is selected. */
function Marks(props: OfMessage): JSX.Element {
  const view = useView()
  return (
    <>
      <Show when={props.message.last_edit_timestamp}>
        <button
          type="button"
          class="edited"
          title={t('message.showChanges')}
          onClick={() => view.open({ aboutMessage: props.message.id })}
        >
          {t('message.edited')}
        </button>
      </Show>
      <Show when={props.message.flags.includes('starred')}>
        <span class="starred" title={t('message.starred')}>
          ★<span class="unseen">{t('message.isStarred')}</span>
        </span>
      </Show>
      <Show when={view.selection.has(props.message.id)}>
        <span class="unseen">{t('message.isSelected')}</span>
      </Show>
    </>
  )
}

function Time(props: OfMessage & { class: string }): JSX.Element {
  const chat = useChat()
  const time = () => new Date(props.message.timestamp * 1000)
  return (
    <time class={props.class} dateTime={time().toISOString()} title={dateText(chat.state, time().getTime())}>
      {time().toLocaleTimeString(locale(), timeOfDay(chat.state))}
    </time>
  )
}

interface ContentProps extends OfMessage {
  readonly match: Match | undefined
  readonly isMentioned: boolean
}

/** The text of a message, or the poll or the list that it is. Forms of programs are shown as their text. */
export function Body(props: ContentProps): JSX.Element {
  const isWidget = createMemo(() => /"widget_type":"(?:poll|todo)"/.test(props.message.submessages[0]?.content ?? ''))
  return (
    <Show when={isWidget()} fallback={<Content {...props} />}>
      <Suspense>
        <Widget message={props.message} />
      </Suspense>
    </Show>
  )
}

// Shorter HTML is not measured, because measuring takes a layout of the page.
const leastLong = 600
// Higher ones are folded, to a height that leaves something worth to unfold.
const mostPixels = 640

function Content(props: ContentProps): JSX.Element {
  const chat = useChat()
  const html = () => props.match?.content ?? props.message.content
  const [isLong, setLong] = createSignal(false)
  let place: HTMLDivElement | undefined
  const words = () => (props.message.flags.includes('has_alert_word') ? chat.state.alert_words : [])
  createEffect(() => {
    const content = markupOf(html(), readerOf(chat, props.isMentioned))
    const pattern = alertPattern(words())
    if (pattern) markWords(content, pattern)
    place?.replaceChildren(content)
    setLong(html().length > leastLong && (place?.scrollHeight ?? 0) > mostPixels)
  })
  const view = useView()
  const isFolded = () => isLong() && !props.match && !view.isUnfolded(props.message.id)
  const unfold = () => view.unfold(props.message.id, isFolded())
  const open = (event: MouseEvent) => {
    // With a key held the browser opens the link its own way.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    const link = (event.target as Element).closest('a')?.getAttribute('href')
    const picture = pictureAt(props.message.id, event.target as Element)
    if (link?.startsWith('#')) {
      event.preventDefault()
      if (!view.follow(link)) chat.say(t('notice.nowhere'), 'bad')
    } else if (picture) {
      event.preventDefault()
      view.open({ picture })
    }
  }
  const text = (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the click is that of a link, which the keyboard makes, too
    // biome-ignore lint/a11y/noStaticElementInteractions: as above
    <div
      class="content"
      classList={{ folded: isFolded() }}
      dir="auto"
      ref={place}
      onClick={open}
      // The focus may be on what is folded away.
      onFocusIn={() => isFolded() && unfold()}
    />
  )
  return (
    <>
      {text}
      <Show when={isLong() && !props.match}>
        <button type="button" class="link-button" aria-expanded={!isFolded()} onClick={unfold}>
          {isFolded() ? t('message.showMore') : t('message.showLess')}
        </button>
      </Show>
    </>
  )
}

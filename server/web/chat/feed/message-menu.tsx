import { createSignal, For, type JSX, onCleanup, onMount, Show } from 'solid-js'
import { t } from '../../language/language.js'
import { Icon, type IconName } from '../../look/icon.js'
import type { Message } from '../../state/chat-state.js'
import { sameNarrow } from '../../state/narrow.js'
import { placeAt } from '../beside.js'
import { type Chat, useChat } from '../chat.js'
import { stepInMenu } from '../menu.js'
import { copyLink, copySources, markUnread, markUnreadFrom, placeNarrow, quote } from '../message-deeds.js'
import { type MenuPlace, useView, type View } from '../view.js'

interface Deed {
  readonly icon: IconName
  readonly title: string
  /** The question before a deed that cannot be undone. */
  readonly sure?: string
  work(): unknown
}

// As long as browsers take for it. A finger does not keep quite still.
const pressMs = 500
const pressPixels = 10

// The browser's own menu is of use there.
const withOwnMenu = 'a, img, video, audio, input, textarea, summary, .widget'

/** Opens the menu of a message by right click or the key for it. With Shift, and for selected text, the browser opens its own. */
export function menuByPointer(view: View, messageId: number, event: MouseEvent & { currentTarget: HTMLElement }): void {
  if (event.shiftKey || hasOwnMenu(event)) return
  event.preventDefault()
  // A long press has opened it.
  if (view.messageMenu()?.messageId === messageId) return
  const { left, top } = event.currentTarget.getBoundingClientRect()
  // The key for it names no place.
  const isByKey = event.clientX === 0 && event.clientY === 0
  const [x, y] = isByKey ? [left + 60, top + 30] : [event.clientX, event.clientY]
  view.openMessageMenu({ messageId, x, y, opener: event.currentTarget })
}

/** Opens the menu of a message by a long press: not every browser makes a `contextmenu` event of it. */
export function menuByPress(view: View, messageId: number, event: PointerEvent & { currentTarget: HTMLElement }): void {
  if (event.pointerType !== 'touch' || hasOwnMenu(event)) return
  const [opener, x, y] = [event.currentTarget, event.clientX, event.clientY]
  const over = new AbortController()
  const timer = setTimeout(() => {
    over.abort()
    keepRelease()
    view.openMessageMenu({ messageId, x, y, opener })
  }, pressMs)
  over.signal.addEventListener('abort', () => clearTimeout(timer))
  const moved = (to: PointerEvent) => Math.hypot(to.clientX - x, to.clientY - y) > pressPixels && over.abort()
  document.addEventListener('pointermove', moved, over)
  for (const end of ['pointerup', 'pointercancel']) document.addEventListener(end, () => over.abort(), over)
}

/** The end of a long press is no tap: the browser would press a button near the finger. */
function keepRelease(): void {
  const ended = new AbortController()
  const end = (event: TouchEvent) => {
    event.preventDefault()
    ended.abort()
  }
  for (const type of ['touchend', 'touchcancel'] as const)
    document.addEventListener(type, end, { passive: false, signal: ended.signal })
}

const hasOwnMenu = (event: Event): boolean =>
  (event.target as Element).closest(withOwnMenu) !== null || getSelection()?.isCollapsed === false

/** The entries of the menu of a message. */
function deedsFor(chat: Chat, view: View, message: Message): Deed[] {
  const isOwn = message.sender_id === chat.state.user_id
  const isStarred = message.flags.includes('starred')
  const place = placeNarrow(chat, message)
  const open = view.narrow()
  const setStar = (op: 'add' | 'remove') =>
    chat.ask('POST', '/messages/flags', { messages: [message.id], op, flag: 'starred' })
  return [
    ...(open && sameNarrow(open, place)
      ? []
      : [
          {
            icon: 'topic' as const,
            title: t('message.showInPlace'),
            work: () => view.go(place, { near: message.id }),
          },
        ]),
    { icon: 'quote', title: t('message.quote'), work: () => quote(chat, view, message) },
    { icon: 'forward', title: t('message.forward'), work: () => view.open({ forward: [message.id] }) },
    {
      icon: 'check',
      title: view.selection.has(message.id) ? t('message.unselect') : t('message.select'),
      work: () => view.selection.toggle(message.id),
    },
    { icon: 'link', title: t('message.copyLink'), work: () => copyLink(chat, message) },
    { icon: 'copy', title: t('message.copyText'), work: () => copySources(chat, [message.id]) },
    isStarred
      ? { icon: 'star', title: t('message.unstar'), work: () => setStar('remove') }
      : { icon: 'star', title: t('message.star'), work: () => setStar('add') },
    { icon: 'unread', title: t('message.markUnread'), work: () => markUnread(chat, view, message) },
    { icon: 'unread', title: t('message.markUnreadFrom'), work: () => markUnreadFrom(chat, view, message) },
    { icon: 'info', title: t('message.about'), work: () => view.open({ aboutMessage: message.id }) },
    ...(isOwn
      ? [
          { icon: 'edit' as const, title: t('message.edit'), work: () => view.edit(message.id) },
          {
            icon: 'trash' as const,
            title: t('message.delete'),
            sure: t('message.reallyDelete'),
            work: () => chat.ask('DELETE', `/messages/${message.id}`),
          },
        ]
      : []),
  ]
}

/** The open menu of a message, if any. */
export function MessageMenu(): JSX.Element {
  const chat = useChat()
  const view = useView()
  return (
    <Show when={view.messageMenu()} keyed>
      {place => (
        <Show when={chat.state.messages[place.messageId]}>
          {message => <OpenMenu message={message()} place={place} />}
        </Show>
      )}
    </Show>
  )
}

function OpenMenu(props: { message: Message; place: MenuPlace }): JSX.Element {
  const chat = useChat()
  const view = useView()
  // A dangerous entry asks once more.
  const [isSure, setSure] = createSignal(false)
  let panel!: HTMLDivElement
  const close = (returnsFocus: boolean) => {
    view.openMessageMenu(undefined)
    if (returnsFocus && props.place.opener.isConnected) props.place.opener.focus({ preventScroll: true })
  }
  // Not a popover that closes by itself: it would close when the button of the mouse is released.
  const outside = (event: Event) => {
    if (!panel.contains(event.target as Node)) close(false)
  }
  onMount(() => {
    panel.showPopover()
    placeAt(panel, props.place)
    panel.querySelector('button')?.focus()
    document.addEventListener('pointerdown', outside, true)
  })
  onCleanup(() => document.removeEventListener('pointerdown', outside, true))
  const keys = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault()
      close(true)
    } else stepInMenu(panel, event)
  }
  const run = async (deed: Deed) => {
    if (deed.sure && !isSure()) return setSure(true)
    close(true)
    try {
      await deed.work()
    } catch (error) {
      chat.say((error as Error).message, 'bad')
    }
  }
  return (
    <div
      class="menu card"
      popover="manual"
      role="menu"
      aria-label={t('message.menu')}
      tabIndex={-1}
      ref={panel}
      onKeyDown={keys}
      onContextMenu={event => event.preventDefault()}
    >
      <For each={deedsFor(chat, view, props.message)}>
        {deed => (
          <button
            type="button"
            class="menu-row"
            classList={{ danger: deed.sure !== undefined && isSure() }}
            role="menuitem"
            onClick={() => void run(deed)}
          >
            <Icon name={deed.icon} /> {(isSure() && deed.sure) || deed.title}
          </button>
        )}
      </For>
    </div>
  )
}

import { createEffect, createMemo, onCleanup } from 'solid-js'
import { unreadCount } from '../../../shared/events/unread.js'
import { showPageIcon } from '../look/page-icon.js'
import { callsOf } from '../state/unread.js'
import type { Chat } from './chat.js'

/** Shows unread messages in the title, on the page's icon, and on the icon of the installed page. */
export function keepBadges(chat: Chat): void {
  const unread = createMemo(() => unreadCount(chat.state))
  const calls = createMemo(() => callsOf(chat.state))
  createEffect(() => {
    document.title = `${unread() > 0 ? `(${unread()}) ` : ''}${chat.state.realm_name || 'Parley'}`
  })
  createEffect(() => void showPageIcon(chat.state.realm_icon_url, calls(), unread() > 0))
  createEffect(() => setAppBadge(calls()))
  onCleanup(() => {
    setAppBadge(0)
    void showPageIcon(chat.state.realm_icon_url)
  })
}

/** Only installed pages have such an icon; elsewhere the browser refuses, which has no effect. */
function setAppBadge(count: number): void {
  if ('setAppBadge' in navigator) navigator.setAppBadge(count).catch(() => undefined)
}

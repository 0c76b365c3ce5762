import { createEffect, createMemo, onCleanup } from 'solid-js'
import { unreadCount } from '../../../shared/events/unread.js'
import { showPageIcon } from '../look/page-icon.js'
import { badgeCount } from '../state/unread.js'
import type { Chat } from './chat.js'

/**
 * Shows unread messages in the title, on the page's icon, and on the icon of the installed page, as the user's settings want it. The page's icon has a
 * dot for those that do not count, unless none shall be counted.
 */
export function keepBadges(chat: Chat): void {
  const count = createMemo(() => badgeCount(chat.state))
  const hasDot = createMemo(
    () => chat.state.user_settings.desktop_icon_count_display !== 4 && unreadCount(chat.state) > 0,
  )
  createEffect(() => {
    document.title = `${count() > 0 ? `(${count()}) ` : ''}${chat.state.realm_name || 'Parley'}`
  })
  createEffect(() => void showPageIcon(chat.state.realm_icon_url, count(), hasDot()))
  createEffect(() => setAppBadge(count()))
  onCleanup(() => {
    setAppBadge(0)
    void showPageIcon(chat.state.realm_icon_url)
  })
}

/** Only installed pages have such an icon; elsewhere the browser refuses, which has no effect. */
function setAppBadge(count: number): void {
  if ('setAppBadge' in navigator) navigator.setAppBadge(count).catch(() => undefined)
}

import { createEffect, on } from 'solid-js'
import { listen } from '../../look/listen.js'
import type { View } from '../view.js'

/**
 * Marks visible messages as read while the window has the focus.
 * @returns a function to call when other messages may have become visible
 */
export function readWhatIsSeen(view: View, visible: () => readonly number[]): () => void {
  const see = () => {
    if (view.keepsUnread() || document.visibilityState !== 'visible' || !document.hasFocus()) return
    view.reading.seen(visible())
  }
  createEffect(on(view.keepsUnread, keeps => !keeps && see(), { defer: true }))
  listen(window, 'focus', see)
  listen(document, 'visibilitychange', see)
  return see
}

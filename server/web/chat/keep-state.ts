import { onCleanup } from 'solid-js'
import { listen } from '../look/listen.js'
import { readSession } from '../sign-in/session.js'
import type { Chat } from './chat.js'
import type { KeptStore } from './kept/kept-state.js'

// Copying the state takes time that grows with the number of users: 3 s apart, and 1 ms more for each user.
const everyMs = 3000
const perUserMs = 1

/**
 * Keeps the state for the next start: some seconds after a change, and when the window is hidden or closed. If the browser refuses, what
 * is kept is deleted, because it would grow old, and this window does not try again.
 */
export function keepState(chat: Chat, store: KeptStore): void {
  let saved = 0
  let isRefused = false
  // A browser whose storage hangs must not collect states.
  let isWriting = false
  const save = () => {
    const kept = chat.changes() === saved || isRefused || isWriting ? undefined : chat.snapshot()
    // Another window may have signed out a moment ago.
    if (!kept || readSession()?.email !== chat.session.email) return
    saved = chat.changes()
    isWriting = true
    store
      .write(kept)
      .catch(async error => {
        isRefused = true
        console.warn('The browser does not keep the state:', error)
        await store.forget()
      })
      .finally(() => {
        isWriting = false
      })
  }
  let timer: ReturnType<typeof setTimeout>
  const wait = () => {
    timer = setTimeout(
      () => {
        save()
        wait()
      },
      everyMs + perUserMs * Object.keys(chat.state.realm_users).length,
    )
  }
  wait()
  const hidden = () => document.visibilityState === 'hidden' && save()
  listen(document, 'visibilitychange', hidden)
  listen(window, 'pagehide', save)
  onCleanup(() => {
    isRefused = true
    clearTimeout(timer)
  })
}

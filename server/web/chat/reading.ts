import { createEffect, on, onCleanup } from 'solid-js'
import { listen } from '../look/listen.js'
import { forgetSeen, noteSeen, undoSeen } from '../state/seen.js'
import type { Chat } from './chat.js'
import { setFlag } from './set-flag.js'
import { isTemporary, repeatDelayMs } from './temporary.js'

// Collects ids, so that scrolling through a hundred messages causes one request.
const gatherMs = 400
// The server takes ten thousand ids at most.
const perRequest = 2000

export interface Reading {
  /** Marks messages as read that the user has seen. */
  seen(ids: readonly number[]): void
}

/** Marks messages as read at once, and reports them to the server while there is a connection; the others wait, also for the next start. */
export function createReading(chat: Chat): Reading {
  let isReporting = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const soon = (ms = gatherMs) => {
    timer ??= setTimeout(() => void report(), ms)
  }
  const report = async () => {
    clearTimeout(timer)
    timer = undefined
    const ids = chat.state.seen.slice(0, perRequest)
    if (isReporting || ids.length === 0 || chat.phase() !== 'live') return
    isReporting = true
    let delayMs: number | undefined
    try {
      await setFlag(chat, ids, 'read', true)
      chat.change(state => forgetSeen(state, ids))
    } catch (error) {
      if (isTemporary(error)) delayMs = error.retryAfterMs ?? repeatDelayMs
      else chat.change(state => undoSeen(state, ids))
    } finally {
      isReporting = false
    }
    if (chat.state.seen.length > 0) soon(delayMs)
  }
  createEffect(on(chat.phase, phase => phase === 'live' && soon()))
  const hidden = () => document.visibilityState === 'hidden' && void report()
  listen(document, 'visibilitychange', hidden)
  onCleanup(() => clearTimeout(timer))
  return {
    seen(ids) {
      const unread = ids.filter(id => chat.state.messages[id]?.flags.includes('read') === false)
      if (unread.length === 0) return
      chat.change(state => noteSeen(state, unread))
      soon()
    },
  }
}

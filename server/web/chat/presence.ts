import { onCleanup } from 'solid-js'
import { listen } from '../look/listen.js'
import type { Presence } from '../state/chat-state.js'
import type { Chat } from './chat.js'

// The interval that the server announces (shared/limits.ts presence_ping_interval_secs).
const reportMs = 60_000
// A user without input for this long is idle.
const idleMs = 5 * 60_000

/** Reports the user's presence each minute, and gets that of other users. */
export function keepPresence(chat: Chat): void {
  let lastUpdateId = -1
  let touched = Date.now()
  const touch = () => {
    touched = Date.now()
  }
  const report = async () => {
    if (!chat.isReady() || chat.phase() !== 'live') return
    const isActive = document.visibilityState === 'visible' && Date.now() - touched < idleMs
    const answer = await chat.ask('POST', '/users/me/presence', {
      status: isActive ? 'active' : 'idle',
      last_update_id: lastUpdateId,
      new_user_input: isActive,
    })
    lastUpdateId = Number(answer.presence_last_update_id)
    chat.change(state => void Object.assign(state.presences, answer.presences as Record<string, Presence> | undefined))
  }
  // A failed report is not repeated; the next one follows in a minute.
  const tryReport = () => void report().catch(() => undefined)
  const timer = setInterval(tryReport, reportMs)
  const first = setTimeout(tryReport, 500)
  for (const name of ['pointermove', 'keydown', 'focus'] as const) listen(window, name, touch, { passive: true })
  onCleanup(() => {
    clearInterval(timer)
    clearTimeout(first)
  })
}

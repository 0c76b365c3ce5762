import { onCleanup } from 'solid-js'
import type { Presence } from '../state/chat-state.js'
import type { Chat } from './chat.js'

// What the server announces (shared/limits.ts presence_ping_interval_secs).
const reportMs = 60_000
// Somebody who has not moved anything for this long is there, but not active.
const idleMs = 5 * 60_000

/** Says each minute that the user is here, and learns who else is. */
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
  // Next minute there is another one.
  const tryReport = () => void report().catch(() => undefined)
  const timer = setInterval(tryReport, reportMs)
  const first = setTimeout(tryReport, 500)
  for (const name of ['pointermove', 'keydown', 'focus'] as const) addEventListener(name, touch, { passive: true })
  onCleanup(() => {
    clearInterval(timer)
    clearTimeout(first)
    for (const name of ['pointermove', 'keydown', 'focus'] as const) removeEventListener(name, touch)
  })
}

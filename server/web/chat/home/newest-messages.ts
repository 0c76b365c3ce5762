import { createEffect, createMemo, on } from 'solid-js'
import type { Chat } from '../chat.js'
import { loadMessages } from '../history.js'

// The rows that a user scrolls through at most, in a few requests.
const most = 300
const perRequest = 100

/** Fetches the newest messages of the rows that the page does not know; events keep them in step afterwards. */
export function keepNewestMessages(chat: Chat, newest: () => readonly number[]): void {
  /** Those that the server no longer has for this user. */
  const gone = new Set<number>()
  let isLoading = false
  const missing = createMemo(() =>
    newest()
      .slice(0, most)
      .filter(id => !chat.state.messages[id] && !gone.has(id)),
  )
  const load = async () => {
    if (isLoading || chat.phase() !== 'live') return
    isLoading = true
    try {
      for (let ids = missing(); ids.length > 0; ids = missing().filter(id => !gone.has(id))) {
        const asked = ids.slice(0, perRequest)
        await loadMessages(chat, asked)
        for (const id of asked) if (!chat.state.messages[id]) gone.add(id)
      }
    } catch (error) {
      // The next connection asks again.
      if (chat.phase() === 'live') chat.sayFailure(error)
    } finally {
      isLoading = false
    }
  }
  createEffect(on([missing, chat.phase], () => void load()))
}

import { onCleanup } from 'solid-js'
import { removeUnread } from '../../../shared/events/unread.js'
import type { Chat } from './chat.js'

// Collects ids, so that scrolling through a hundred messages causes one request.
const gatherMs = 400

/** Marks messages as read that the user has seen. */
export function createReading(chat: Chat): { seen(ids: readonly number[]): void } {
  const waiting = new Set<number>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const tell = async () => {
    timer = undefined
    const messages = [...waiting]
    waiting.clear()
    try {
      await chat.ask('POST', '/messages/flags', { messages, op: 'add', flag: 'read' })
    } catch {
      // The messages are still unread on the server: mark them so, and they are reported when the user sees them again.
      chat.change(state => {
        for (const id of messages) {
          const message = state.messages[id]
          if (message) message.flags = message.flags.filter(flag => flag !== 'read')
        }
      })
    }
  }
  onCleanup(() => {
    clearTimeout(timer)
    if (waiting.size > 0) void tell()
  })
  return {
    seen(ids) {
      const unread = ids.filter(id => chat.state.messages[id]?.flags.includes('read') === false)
      if (unread.length === 0) return
      for (const id of unread) waiting.add(id)
      chat.change(state => {
        for (const id of unread) state.messages[id]?.flags.push('read')
        removeUnread(state, new Set(unread))
      })
      timer ??= setTimeout(() => void tell(), gatherMs)
    },
  }
}

import type { EventOf } from '../../../shared/client/index.js'
import { codePoints } from '../../../shared/limits.js'
import type { ChatState, Growing, Piece } from './chat-state.js'

// A message has at most 10,000 characters, and usually a few pieces come while the page fetches the text.
const mostLate = 1000

/** `streamed_message`: a message begins to grow, grows, or has ended. */
export function messageGrows(state: ChatState, event: EventOf<'streamed_message'>): void {
  const id = event.message_id
  if (event.op === 'end') delete state.growing[id]
  else if (event.op === 'start') state.growing[id] = { text: event.text, late: [] }
  else {
    state.growing[id] ??= { text: null, late: [] }
    append(state.growing[id], event)
  }
}

/** The page has fetched the text as far as it had grown. */
export function textFetched(state: ChatState, id: number, fetched: { text: string; is_growing: boolean }): void {
  const growing = state.growing[id]
  if (!growing) return
  if (!fetched.is_growing) {
    delete state.growing[id]
    return
  }
  const { late } = growing
  growing.text = fetched.text
  growing.late = []
  for (const piece of late) append(growing, piece)
}

function append(growing: Growing, { position, text }: Piece): void {
  const length = growing.text === null ? -1 : codePoints(growing.text)
  if (growing.text !== null && position === length) growing.text += text
  else if (position >= length) {
    growing.text = null
    growing.late = [...growing.late, { position, text }].slice(-mostLate)
  }
}

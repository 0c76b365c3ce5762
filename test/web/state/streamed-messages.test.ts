// What the page knows of a message that grows: pieces in order, repeated ones, gaps, and what it fetches.
import t from 'tap'
import { emptyState } from '../../../server/web/state/chat-state.js'
import { messageGrows, textFetched } from '../../../server/web/state/streamed-messages.js'

const head = { id: 1, type: 'streamed_message', message_id: 7 } as const
const start = (text: string) => ({ ...head, op: 'start', text }) as const
const append = (position: number, text: string) => ({ ...head, op: 'append', position, text }) as const

t.test('pieces follow each other, in code points', async t => {
  const state = emptyState()
  messageGrows(state, start('a\u{1f600}'))
  messageGrows(state, append(2, 'b'))
  messageGrows(state, append(3, 'c'))
  t.same(state.growing[7], { text: 'a\u{1f600}bc', late: [] })
  messageGrows(state, append(2, 'b'))
  t.equal(state.growing[7]?.text, 'a\u{1f600}bc')
  messageGrows(state, { ...head, op: 'end', reason: 'finished', user_id: 1 })
  t.same(state.growing, {})
})

t.test('after a gap the page fetches the text, and applies what came meanwhile', async t => {
  const state = emptyState()
  messageGrows(state, append(5, 'fg'))
  t.equal(state.growing[7]?.text, null)
  messageGrows(state, append(7, 'h'))
  messageGrows(state, append(8, 'i'))
  textFetched(state, 7, { text: 'abcdefg', is_growing: true })
  t.same(state.growing[7], { text: 'abcdefghi', late: [] })
  messageGrows(state, append(20, 'x'))
  t.equal(state.growing[7]?.text, null)
  textFetched(state, 7, { text: 'abcdefghi', is_growing: true })
  t.equal(state.growing[7]?.text, null, 'the piece is still not next: the page fetches again')
  textFetched(state, 7, { text: 'whole', is_growing: false })
  t.same(state.growing, {})
  textFetched(state, 7, { text: 'whole', is_growing: true })
  t.same(state.growing, {})
})

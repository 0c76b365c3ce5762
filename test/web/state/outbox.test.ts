import t from 'tap'
import type { Unsent } from '../../../server/web/state/chat-state.js'
import {
  addUnsent,
  findArrived,
  isTooLate,
  setSending,
  setUnprocessed,
  setUnsent,
} from '../../../server/web/state/outbox.js'
import { message, play, sent, someState } from './state.js'

const unsent = (localId: string, content = 'hello') => ({
  localId,
  content,
  place: { channelId: 5, topic: 'talk' },
  writtenAt: 1,
})

t.test('a message that comes with its name is no longer on its way', async t => {
  const state = someState()
  addUnsent(state, unsent('a.1'))
  addUnsent(state, unsent('a.2'))
  play(state, sent(message({ id: 101, sender_id: 1 }), ['read'], { local_message_id: 'a.1' }))
  t.same(
    state.outbox.map(one => one.localId),
    ['a.2'],
  )
})

t.test('a snippet of another user with the same name changes nothing', async t => {
  const state = someState()
  addUnsent(state, unsent('a.1'))
  play(state, sent(message({ id: 101, sender_id: 2 }), [], { local_message_id: 'a.1' }))
  t.equal(state.outbox.length, 1)
})

t.test('of what was sent before, and what is known, none is the lost one', async t => {
  const lost = { content: ' hello\r\nthere ', after: 100 }
  const text = 'hello\nthere'
  t.equal(
    findArrived(
      lost,
      [
        { id: 99, content: text },
        { id: 100, content: text },
      ],
      new Set(),
    ),
    undefined,
  )
  t.equal(
    findArrived(lost, [{ id: 101, content: text }], new Set([101])),
    undefined,
    'that was another one with the same words',
  )
  t.equal(findArrived(lost, [{ id: 101, content: 'hello there' }], new Set()), undefined)
  t.equal(
    findArrived(
      lost,
      [
        { id: 101, content: text },
        { id: 102, content: text },
      ],
      new Set([101]),
    )?.id,
    102,
  )
})

t.test('a refusal is kept with its words', async t => {
  const state = someState()
  addUnsent(state, unsent('a.1'))
  setUnsent(state, 'a.1', 'refused', 'Not allowed.')
  t.match(state.outbox[0], { status: 'refused', error: 'Not allowed.', after: 100 })
  setUnsent(state, 'a.1', 'waiting')
  t.match(state.outbox[0], { status: 'waiting', error: null })
})

t.test('a repeat is the same attempt, for less than the ten minutes of the server', async t => {
  const state = someState()
  const minute = 60_000
  addUnsent(state, unsent('a.1'))
  addUnsent(state, unsent('a.2'))
  t.equal(isTooLate(state.outbox[0] as Unsent, 100 * minute), false, 'it was never sent')
  const attempt = { queueId: 'q1', at: 5 * minute }
  setSending(state, 'a.1', attempt)
  setUnsent(state, 'a.1', 'waiting')
  t.match(state.outbox, [
    { attempt, status: 'waiting' },
    { attempt: null, status: 'waiting' },
  ])
  t.equal(isTooLate(state.outbox[0] as Unsent, 12 * minute), false)
  t.equal(isTooLate(state.outbox[0] as Unsent, 14 * minute), true)
  t.equal(isTooLate(state.outbox[0] as Unsent, 4 * minute), true, 'the clock was set back: the age is unknown')
})

t.test('a request that the server did not process leaves the attempt before it', async t => {
  const state = someState()
  addUnsent(state, unsent('a.1'))
  const attempt = { queueId: 'q1', at: 5 }
  for (const earlier of [null, attempt]) {
    setSending(state, 'a.1', attempt)
    setUnprocessed(state, 'a.1', earlier)
    t.match(state.outbox[0], { attempt: earlier, status: 'waiting' })
  }
})

import t from 'tap'
import { addUnsent, findArrived, setUnsent } from '../../../server/web/state/outbox.js'
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

t.test('one of somebody else that uses the name takes nothing away', async t => {
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
  setUnsent(state, 'a.1', 'doubtful')
  t.match(state.outbox[0], { status: 'doubtful', error: null })
})

import t from 'tap'
import { awaitTopics, findTopics, setTopics } from '../../../server/web/state/topics.js'
import { message, play, sent, someState } from './state.js'

const listed = [
  { name: 'talk', max_id: 90 },
  { name: 'rivers', max_id: 80 },
]

/** The topics of channel 5 after these events arrived between the request and its answer. */
function fetchedWhile(...events: Record<string, unknown>[]): string[] {
  const state = someState()
  awaitTopics(state, 5)
  play(state, ...events)
  setTopics(state, 5, listed)
  return findTopics(state, 5, '').map(({ name, max_id }) => `${name} ${max_id}`)
}

t.test('a fetched list of topics has the messages that arrived meanwhile', async t => {
  t.same(fetchedWhile(), ['talk 90', 'rivers 80'])
  t.same(fetchedWhile(sent(message({ id: 101, subject: 'mills' }))), ['mills 101', 'talk 90', 'rivers 80'])
  t.same(fetchedWhile(sent(message({ id: 101, subject: 'Rivers' }))), ['Rivers 101', 'talk 90'])
  const again = [101, 102, 103].map(id => sent(message({ id, subject: 'mills' })))
  t.same(fetchedWhile(...again), ['mills 103', 'talk 90', 'rivers 80'])
  t.same(fetchedWhile(sent(message({ id: 101, stream_id: 6 }))), ['talk 90', 'rivers 80'], 'another channel')
})

t.test('a list that is older than a move or a deletion is not taken', async t => {
  const deleted = { type: 'delete_message', message_ids: [90], message_type: 'stream', stream_id: 5, topic: 'talk' }
  t.same(fetchedWhile(deleted), [])
  const moved = { type: 'update_message', message_id: 90, message_ids: [90], stream_id: 5, orig_subject: 'talk' }
  t.same(fetchedWhile({ ...moved, subject: 'rivers' }), [])
  t.same(fetchedWhile({ ...moved, stream_id: 6 }), ['talk 90', 'rivers 80'], 'edited in another channel')
  t.same(
    fetchedWhile({ ...moved, stream_id: 6, new_stream_id: 5, subject: 'talk', message_ids: [95] }),
    ['talk 95', 'rivers 80'],
    'moved here from another channel',
  )
})

t.test('a list that was not asked for, or is asked for twice, changes nothing', async t => {
  const state = someState()
  setTopics(state, 5, listed)
  t.same(findTopics(state, 5, ''), [])
  awaitTopics(state, 5)
  awaitTopics(state, 5)
  setTopics(state, 5, listed)
  play(state, sent(message({ id: 101, subject: 'mills' })))
  setTopics(state, 5, listed)
  t.equal(findTopics(state, 5, '')[0]?.name, 'mills')
})

import t from 'tap'
import { channelTyped, jumpPlaces } from '../../../server/web/state/jump.js'
import { addressOf } from '../../../server/web/state/narrow.js'
import type { UserObject } from '../../../shared/resources/user.js'
import { direct, message, play, sent, someState } from './state.js'

function team() {
  const state = someState()
  for (const [id, full_name] of [
    [10, 'Rosa Engel'],
    [11, 'Engin <b>Kaya</b>'],
  ] as const)
    state.realm_users[id] = { user_id: id, full_name, is_bot: false, role: 400 } as UserObject
  Object.assign(state.subscriptions[5] as object, { name: 'engine room' })
  state.never_subscribed[8] = { stream_id: 8, name: 'engines of others', is_archived: false } as never
  return play(
    state,
    sent(message({ id: 101, subject: 'engine noise' })),
    sent(message({ id: 102, stream_id: 6, subject: 'the engine' }), ['read']),
    sent(direct({ id: 103 }, [1, 2, 3]), ['read']),
  )
}

const found = (words: string, state = team()) => jumpPlaces(state, words).map(one => addressOf(one.narrow))

t.test('places are found by the beginning of their words, own and unread ones first', async t => {
  t.same(found('eng'), [
    'channel/5',
    'channel/5/engine%20noise',
    'channel/8',
    'direct/11',
    'channel/6/the%20engine',
    'direct/10',
  ])
  t.same(found('person 2, person 3'), ['direct/2,3'], 'a conversation of several')
  t.same(found('nothing of the kind'), [])
})

t.test('without words: what is unread, and conversations', async t => {
  t.same(found(''), ['channel/5/engine%20noise', 'direct/2,3'])
})

t.test('a channel and a sign after it limit the search to its topics', async t => {
  t.equal(channelTyped(team(), 'engine room > x'), 5)
  t.equal(channelTyped(team(), 'engine room'), undefined)
  t.equal(channelTyped(team(), 'nowhere > x'), undefined)
  t.same(found('engine room >'), ['channel/5/engine%20noise'])
  t.same(found('engine room > no'), ['channel/5/engine%20noise'])
  t.same(found('engine room > other'), [])
})

t.test('a long list is cut', async t => {
  const state = team()
  for (let id = 100; id < 400; id++) state.realm_users[id] = { user_id: id, full_name: `Many ${id}` } as UserObject
  t.equal(found('many', state).length, 12)
})

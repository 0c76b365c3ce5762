import t from 'tap'
import { privacyOf, privacyParams } from '../../../server/web/state/channel-privacy.js'
import { setMembers } from '../../../server/web/state/members.js'
import { audienceOfMove } from '../../../server/web/state/move.js'
import { awaitTopics, findTopics, isFollowed, setTopics, toggleResolved } from '../../../server/web/state/topics.js'
import { play, someState } from './state.js'

t.test('a move to a private channel names the people who gain and lose the messages', async t => {
  const state = someState()
  Object.assign(state.subscriptions[6] as object, { invite_only: true })
  t.same(audienceOfMove(state, 5, 6), { subscribers: 3, isPublic: false, gained: undefined, lost: undefined })
  setMembers(state, 5, [3, 1])
  setMembers(state, 6, [2, 1])
  t.same(audienceOfMove(state, 5, 6), { subscribers: 2, isPublic: false, gained: [2], lost: [3] })
  play(state, { type: 'subscription', op: 'peer_remove', stream_ids: [6], user_ids: [2] })
  t.same(audienceOfMove(state, 5, 6), { subscribers: 1, isPublic: false, gained: [], lost: [3] })
})

t.test('a move to a public channel takes messages from none of its readers', async t => {
  const state = someState()
  setMembers(state, 5, [1, 3])
  setMembers(state, 6, [1, 2])
  t.same(audienceOfMove(state, 5, 6), { subscribers: 2, isPublic: true, gained: [2], lost: [] })
  t.equal(audienceOfMove(state, 5, 99), undefined)
  setMembers(state, 99, [1])
  t.equal(audienceOfMove(state, 99, 5), undefined, 'an unknown channel gets no members')
})

t.test('each privacy comes back from the parameters that set it', async t => {
  for (const privacy of ['web', 'public', 'shared', 'protected'] as const) {
    const { is_private, ...fields } = privacyParams(privacy)
    t.equal(privacyOf({ invite_only: is_private, ...fields } as never), privacy)
  }
})

t.test('topics are found by all words, in any case and order', async t => {
  const state = someState()
  awaitTopics(state, 5)
  setTopics(
    state,
    5,
    ['Queue latency', '✔ Latency of disks', '', '<b>x</b>'].map((name, at) => ({ name, max_id: 10 - at })),
  )
  const found = (words: string) => findTopics(state, 5, words).map(topic => topic.name)
  t.same(found('LATENCY'), ['Queue latency', '✔ Latency of disks'])
  t.same(found('latency queue'), ['Queue latency'])
  t.same(found('general'), [''], 'the empty topic by its shown name')
  t.same(found('<b'), ['<b>x</b>'])
  t.same(found('nothing'), [])
  t.same(findTopics(state, 6, ''), [], 'topics that were not fetched')
})

t.test('a resolved topic is reopened under its old name', async t => {
  t.equal(toggleResolved('lunch'), '✔ lunch')
  t.equal(toggleResolved('✔ lunch'), 'lunch')
  const state = someState()
  t.notOk(isFollowed(state, 5, 'lunch'))
  const policy = { type: 'user_topic', stream_id: 5, topic_name: 'Lunch', last_updated: 0 }
  play(state, { ...policy, visibility_policy: 3 })
  t.ok(isFollowed(state, 5, 'lunch'))
  play(state, { ...policy, visibility_policy: 2 })
  t.notOk(isFollowed(state, 5, 'lunch'))
})

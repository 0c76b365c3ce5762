import t from 'tap'
import { openFeed } from '../../../server/web/state/feeds.js'
import { listPeople, suggestedPeople } from '../../../server/web/state/people-panel.js'
import type { UserObject } from '../../../shared/resources/user.js'
import { message, play, sent, someState } from './state.js'

const now = 1_700_000_000_000

/** Person 2 is active, 3 idle; Zoë (4) and a bot (9) are away. */
function team() {
  const state = someState()
  const add = (user_id: number, full_name: string, is_bot = false) => {
    state.realm_users[user_id] = { user_id, full_name, is_bot, role: 400 } as UserObject
  }
  add(4, 'Zoë Adler')
  add(9, 'Build bot', true)
  state.presences[2] = { active_timestamp: now / 1000, idle_timestamp: now / 1000 }
  state.presences[3] = { active_timestamp: 0, idle_timestamp: now / 1000 }
  return state
}

t.test('the members of a channel come first, the active ones at the top', async t => {
  const state = team()
  const narrow = { kind: 'channel', channelId: 5 } as const
  t.same(
    listPeople(state, narrow, '', now),
    { here: undefined, others: [2, 3, 1, 4], hasMore: false },
    'members are unknown',
  )
  const channel = state.subscriptions[5]
  if (channel) channel.subscribers = [1, 3, 9]
  t.same(listPeople(state, narrow, '', now), { here: [3, 1, 9], others: [2, 4], hasMore: false })
  play(state, { type: 'subscription', op: 'peer_add', stream_ids: [5], user_ids: [2] })
  t.same(listPeople(state, narrow, '', now).here, [2, 3, 1, 9], 'an event adds a member')
  t.same(listPeople(state, { kind: 'topic', channelId: 5, topic: 'x' }, '', now).here, [2, 3, 1, 9])
})

t.test('a conversation is that of its people and the user', async t => {
  t.same(listPeople(team(), { kind: 'direct', key: '3,4' }, '', now), { here: [3, 1, 4], others: [2], hasMore: false })
  t.same(listPeople(team(), { kind: 'direct', key: '1' }, '', now).here, [1])
  t.equal(listPeople(team(), { kind: 'all' }, '', now).here, undefined)
})

t.test('who wrote here comes first, then the others by presence', async t => {
  const state = team()
  const channel = state.subscriptions[5]
  if (channel) channel.subscribers = [1, 2, 3, 4]
  openFeed(state, { kind: 'channel', channelId: 5 }).foundNewest = true
  play(state, sent(message({ id: 101, sender_id: 4 })))
  t.same(listPeople(state, { kind: 'channel', channelId: 5 }, '', now).here, [4, 2, 3, 1])
  t.same(listPeople(state, { kind: 'channel', channelId: 6 }, '', now).others, [2, 3, 1, 4], 'not in another place')
})

t.test('of many others only some are listed; the filter finds all', async t => {
  const state = team()
  for (let id = 100; id < 300; id++)
    state.realm_users[id] = { user_id: id, full_name: `Member ${id}`, is_bot: false, role: 400 } as UserObject
  state.presences[299] = { active_timestamp: now / 1000, idle_timestamp: now / 1000 }
  state.recent_private_conversations = { '298': 10, '4': 20, '77': 30 }
  const { others, hasMore } = listPeople(state, { kind: 'all' }, '', now)
  t.equal(others.length, 24)
  t.same(others.slice(0, 5), [298, 4, 299, 2, 3], 'number 77 is not visible to the user')
  t.equal(hasMore, true)
  const found = listPeople(state, { kind: 'all' }, 'member', now)
  t.equal(found.others.length, 200)
  t.equal(found.hasMore, false)
  t.equal(listPeople(state, { kind: 'all' }, 'no such', now).hasMore, false)
})

t.test('the filter finds the beginnings of words, and bots', async t => {
  const all = { kind: 'all' } as const
  t.same(listPeople(team(), all, 'adl', now).others, [4])
  t.same(listPeople(team(), all, 'dler', now).others, [])
  t.same(listPeople(team(), all, 'bu', now).others, [9])
  t.same(listPeople(team(), all, '.*', now).others, [])
})

t.test('a member that the user no longer sees is left out', async t => {
  const state = team()
  const channel = state.subscriptions[5]
  if (channel) channel.subscribers = [1, 77]
  t.same(listPeople(state, { kind: 'channel', channelId: 5 }, '', now).here, [1])
})

t.test('people of the newest conversations are suggested first', async t => {
  const state = team()
  state.recent_private_conversations = { '3': 10, '2,4': 20, '77': 30 }
  t.same(
    suggestedPeople(state).map(person => person.user_id),
    [2, 4, 3, 1, 9],
  )
})

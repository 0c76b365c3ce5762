import t from 'tap'
import type { ChatState } from '../../../server/web/state/chat-state.js'
import { carryOver } from '../../../server/web/state/kept.js'
import { movePinned, parsePinOrder, pinnedChannels } from '../../../server/web/state/pins.js'
import type { Subscription } from '../../../shared/events/client-state.js'
import { play, someState } from './state.js'

/** Pinned: 1, 2 and 3, in the order of their names; 4 is not. */
function stateWithPins(): ChatState {
  const state = someState()
  state.subscriptions = {}
  for (const stream_id of [1, 2, 3, 4])
    state.subscriptions[stream_id] = {
      stream_id,
      name: `c${stream_id}`,
      is_archived: false,
      pin_to_top: stream_id < 4,
    } as Subscription
  return state
}

const setPinned = (state: ChatState, stream_id: number, value: boolean) =>
  play(state, { type: 'subscription', op: 'update', stream_id, property: 'pin_to_top', value })

t.test('a pinned channel takes the place of another one, from above and from below', t => {
  const state = stateWithPins()
  t.same(pinnedChannels(state), [1, 2, 3])
  t.ok(movePinned(state, 1, 3))
  t.same(pinnedChannels(state), [2, 3, 1])
  t.ok(movePinned(state, 3, 2))
  t.same(pinnedChannels(state), [3, 2, 1])
  t.end()
})

t.test('nothing moves to its own place, and nothing that is not pinned moves or gives its place', t => {
  const state = stateWithPins()
  for (const [id, target] of [
    [1, 1],
    [1, 4],
    [4, 1],
    [1, 99],
    [99, 1],
  ] as const) {
    t.notOk(movePinned(state, id, target), `${id} to ${target}`)
  }
  t.same([pinnedChannels(state), state.pinOrder], [[1, 2, 3], []])
  t.end()
})

t.test('a channel that is pinned later, or again, comes after those with a place', t => {
  const state = stateWithPins()
  setPinned(state, 1, false)
  movePinned(state, 3, 2)
  setPinned(state, 4, true)
  setPinned(state, 1, true)
  t.same(pinnedChannels(state), [3, 2, 1, 4])
  setPinned(state, 3, false)
  t.same(pinnedChannels(state), [2, 1, 4])
  setPinned(state, 3, true)
  t.same(pinnedChannels(state), [2, 1, 3, 4], 'by name after the only one with a place')
  t.end()
})

t.test('after a new queue the order stays, without what was unpinned meanwhile', t => {
  const state = stateWithPins()
  movePinned(state, 3, 1)
  const fresh = setPinned(stateWithPins(), 1, false)
  carryOver(state, fresh)
  t.same(fresh.pinOrder, [3, 2])
  t.end()
})

t.test('an order of channels that are unknown or not pinned changes nothing', t => {
  const state = stateWithPins()
  state.pinOrder = [77, 4, 3]
  t.same(pinnedChannels(state), [3, 1, 2])
  t.end()
})

t.test('of what the storage holds only a list of ids counts', t => {
  for (const text of [null, '', '{', 'null', '5', '"1,2"', '{"0":1,"length":1}', '[[1],{"id":2},"3",null,1.5,1e999]'])
    t.same(parsePinOrder(text), [], String(text))
  t.same(parsePinOrder('[3,"x",1,3,null]'), [3, 1])
  t.equal(parsePinOrder(JSON.stringify(Array.from({ length: 5000 }, (_, id) => id))).length, 1000)
  t.end()
})

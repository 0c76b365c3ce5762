import t from 'tap'
import type { ChatState } from '../../../server/web/state/chat-state.js'
import { dropOf } from '../../../server/web/state/drops.js'
import { carryOver, keptState } from '../../../server/web/state/kept.js'
import { parsePinOrder, pinnedChannels } from '../../../server/web/state/pins.js'
import { plainSidebar } from '../../../shared/resources/sidebar.js'
import { play, stateWithChannels } from './state.js'

/** Pinned: 1, 2 and 3, in the order of their names; 4 is not. */
const stateWithPins = (): ChatState =>
  stateWithChannels(...[0, 1, 2, 3, 4].map(id => ({ pin_to_top: id > 0 && id < 4, is_archived: id === 0 })))

const setPinned = (state: ChatState, stream_id: number, value: boolean) =>
  play(state, { type: 'subscription', op: 'update', stream_id, property: 'pin_to_top', value })

const ordered = (state: ChatState, ...pinned_channels: number[]) =>
  play(state, { type: 'sidebar', ...plainSidebar, pinned_channels })

t.test('pinned channels have the order that the user gave them; those without a place come after these', t => {
  const state = stateWithPins()
  t.same(pinnedChannels(state), [1, 2, 3])
  ordered(state, 3, 1)
  t.same(pinnedChannels(state), [3, 1, 2])
  setPinned(state, 4, true)
  t.same(pinnedChannels(state), [3, 1, 2, 4])
  setPinned(state, 3, false)
  t.same(pinnedChannels(state), [1, 2, 4])
  setPinned(state, 3, true)
  t.same(pinnedChannels(state), [3, 1, 2, 4], 'pinned again, it is where it was')
  t.end()
})

t.test('an order of channels that are unknown or not pinned changes nothing', t => {
  t.same(pinnedChannels(ordered(stateWithPins(), 77, 4, 3)), [3, 1, 2])
  t.end()
})

t.test('a change that the server has not confirmed counts, also in a new queue, but not in what is kept', t => {
  const state = ordered(stateWithPins(), 1, 3, 2)
  state.arranging = { pinned_channels: [2, 1, 3] }
  t.same(pinnedChannels(state), [2, 1, 3])
  ordered(state, 3, 2, 1)
  t.same(pinnedChannels(state), [2, 1, 3], 'an event of an earlier change')
  const fresh = stateWithPins()
  carryOver(state, fresh)
  t.same(pinnedChannels(fresh), [2, 1, 3])
  t.same(pinnedChannels(keptState(state)), [3, 2, 1])
  t.end()
})

t.test('a channel that is dropped on a pinned one takes its place, from above and from below', t => {
  const state = stateWithPins()
  const drop = (channel: number, target?: number) => dropOf(state, { channel }, { section: 'pinned', channel: target })
  t.match(drop(1, 3), { kind: 'pin', order: [2, 3, 1], edge: 'below' })
  t.match(drop(3, 1), { kind: 'pin', order: [3, 1, 2], edge: 'above' })
  t.match(drop(4, 2), { kind: 'pin', order: [1, 4, 2, 3], edge: 'above' })
  t.match(drop(4), { kind: 'pin', order: [1, 2, 3, 4], edge: 'into' })
  for (const [channel, target] of [
    [1, 1],
    [1, undefined],
    [1, 4],
    [99, 1],
    [4, 99],
  ] as const)
    t.equal(drop(channel, target), undefined, `${channel} to ${target}`)
  t.end()
})

t.test('of what the storage holds only a list of ids counts', t => {
  for (const text of [
    null,
    '',
    '{',
    'null',
    '5',
    '"1,2"',
    '{"0":1,"length":1}',
    '[[1],{"id":2},"3",null,1.5,1e999,-1]',
  ])
    t.same(parsePinOrder(text), [], String(text))
  t.same(parsePinOrder('[3,"x",1,3,null]'), [3, 1])
  t.equal(parsePinOrder(JSON.stringify(Array.from({ length: 5000 }, (_, id) => id))).length, 1000)
  t.end()
})

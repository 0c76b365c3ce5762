import t from 'tap'
import type { ChatState } from '../../../server/web/state/chat-state.js'
import { dropOf } from '../../../server/web/state/drops.js'
import {
  collapsedWith,
  moved,
  sectionMoved,
  sectionsInOrder,
  withoutParts,
} from '../../../server/web/state/sections.js'
import { shownChannels } from '../../../server/web/state/shown-channels.js'
import { plainSidebar, type Sidebar } from '../../../shared/resources/sidebar.js'
import { play, someFolder, stateWithChannels } from './state.js'

const arranged = (state: ChatState, parts: Partial<Sidebar>) =>
  play(state, { type: 'sidebar', ...plainSidebar, ...parts })
const inOrder = (...sections: string[]) => sectionsInOrder(arranged(stateWithChannels(), { sections }))

t.test('direct messages are above the channels until the user moves them', t => {
  t.same(inOrder(), ['pinned', 'direct', 'channels', 'folder:1', 'folder:2'])
  t.same(inOrder('folder:2', 'channels', 'folder:1', 'pinned', 'direct'), [
    'folder:2',
    'channels',
    'folder:1',
    'pinned',
    'direct',
  ])
  t.end()
})

t.test('sections without a place follow those that they follow at first; those that are gone have none', t => {
  t.same(inOrder('folder:1', 'folder:99', 'direct', 'nonsense'), [
    'pinned',
    'folder:1',
    'folder:2',
    'direct',
    'channels',
  ])
  const state = arranged(stateWithChannels(), { sections: ['folder:2', 'folder:1', 'channels', 'direct', 'pinned'] })
  state.channel_folders.push(someFolder(3, 'New', 2))
  t.same(sectionsInOrder(state), ['folder:2', 'folder:3', 'folder:1', 'channels', 'direct', 'pinned'])
  t.end()
})

t.test('a section takes the place of another one', t => {
  const state = stateWithChannels()
  t.same(sectionMoved(state, 'direct', 'folder:1'), ['pinned', 'channels', 'folder:1', 'direct', 'folder:2'])
  t.same(sectionMoved(state, 'folder:2', 'pinned'), ['folder:2', 'pinned', 'direct', 'channels', 'folder:1'])
  t.same(sectionMoved(state, 'folder:7', 'pinned'), sectionsInOrder(state), 'one that is gone moves nothing')
  t.same(moved([1, 2, 3], 1, 9), [1, 2, 3])
  t.end()
})

t.test('sections collapse and open; those that are gone are forgotten then', t => {
  const state = arranged(stateWithChannels(), { collapsed: ['folder:9', 'direct'] })
  t.same(collapsedWith(state, 'folder:1', true), ['direct', 'folder:1'])
  t.same(collapsedWith(state, 'direct', true), ['direct'])
  t.same(collapsedWith(state, 'direct', false), [])
  t.end()
})

t.test('a change is settled unless a later one has taken its place', t => {
  const changes = { sections: ['direct'], collapsed: ['pinned'], unread_only: false }
  t.same(withoutParts(changes, { sections: ['direct'], unread_only: false }), { collapsed: ['pinned'] })
  t.same(withoutParts(changes, { collapsed: [], pinned_channels: [] }), changes)
  t.end()
})

t.test('what can be dropped where', t => {
  const state = stateWithChannels({}, { folder_id: 1 }, { folder_id: 1, pin_to_top: true }, { pin_to_top: true })
  const drop = (channel: number, section: string, target?: number) =>
    dropOf(state, { channel }, { section: section as 'pinned', channel: target })
  const setRole = (role: number) => Object.assign(state.realm_users[1] as object, { role })
  setRole(200)
  t.match(drop(0, 'folder:1'), { kind: 'folder', folder: 1, edge: 'into' })
  t.match(drop(0, 'folder:1', 1), { kind: 'folder', folder: 1, edge: 'into' })
  t.match(drop(1, 'channels'), { kind: 'folder', folder: null })
  t.match(drop(2, 'folder:1'), { kind: 'unpin', channel: 2 })
  t.match(drop(3, 'channels', 0), { kind: 'unpin', channel: 3 })
  for (const [channel, section] of [
    [0, 'channels'],
    [1, 'folder:1'],
    [0, 'direct'],
    [2, 'folder:2'],
    [2, 'channels'],
    [3, 'folder:1'],
    [77, 'folder:1'],
  ] as const)
    t.equal(drop(channel, section), undefined, `${channel} to ${section}`)
  setRole(400)
  state.subscriptions[0] = {
    ...state.subscriptions[0],
    can_administer_channel_group: { direct_members: [], direct_subgroups: [] },
  } as never
  t.equal(drop(0, 'folder:1'), undefined, 'only who may change the channel changes its folder')
  t.match(drop(0, 'pinned'), { kind: 'pin', order: [2, 3, 0] })
  t.match(dropOf(state, { section: 'direct' }, { section: 'folder:2', channel: 4 }), {
    target: 'folder:2',
    edge: 'below',
  })
  t.match(dropOf(state, { section: 'folder:2' }, { section: 'direct' }), { target: 'direct', edge: 'above' })
  t.equal(dropOf(state, { section: 'direct' }, { section: 'direct' }), undefined)
  t.equal(dropOf(state, {}, { section: 'direct' }), undefined)
  t.equal(dropOf(state, { section: 'direct' }, {}), undefined)
  t.end()
})

t.test('quiet channels are put away: muted ones, and inactive ones without anything unread', t => {
  const state = stateWithChannels(
    {},
    { is_muted: true },
    { is_recently_active: false },
    { is_recently_active: false, pin_to_top: true },
    { is_recently_active: false },
    { is_recently_active: false },
  )
  const wanted = {
    words: '',
    isWhole: false,
    isOpen: (id: number) => id === 4,
    unread: (id: number) => (id === 5 ? 3 : id),
  }
  const all = [0, 1, 2, 3, 4, 5]
  const show = (more: object = {}) =>
    shownChannels(state, all, { ...wanted, unread: id => (id === 5 ? 3 : 0), ...more })
  state.user_settings.demote_inactive_streams = 1
  t.same(show(), { shown: all, quiet: 0 }, 'there are few')
  state.user_settings.demote_inactive_streams = 2
  t.same(show(), { shown: [0, 3, 4, 5], quiet: 2 })
  t.same(show({ isWhole: true }), { shown: all, quiet: 2 })
  for (let id = 10; id < 40; id++) state.subscriptions[id] = { stream_id: id } as never
  state.user_settings.demote_inactive_streams = 1
  t.same(show().quiet, 2, 'there are many')
  state.user_settings.demote_inactive_streams = 3
  t.same(show(), { shown: all, quiet: 0 })
  t.end()
})

t.test('only what is unread, and what the user looks for', t => {
  const state = stateWithChannels({ name: 'Engine room' }, { name: 'mill' }, { name: 'the-engine', is_muted: true }, {})
  const show = (words: string) =>
    shownChannels(state, [0, 1, 2, 3], {
      words,
      isWhole: false,
      isOpen: id => id === 3,
      unread: id => (id === 1 || id === 2 ? 1 : 0),
    }).shown
  arranged(state, { unread_only: true })
  t.same(show(''), [1, 3], 'the open one too, and no muted one')
  t.same(show('eng'), [0, 2], 'all with these words')
  t.same(show('ROOM'), [0])
  t.same(show('ngine'), [])
  t.end()
})

import t from 'tap'
import { channelGroups, channelsInOrder } from '../../../server/web/state/channels.js'
import { play, stateWithChannels } from './state.js'

t.test('channels without a folder come first, then each folder in the order; no empty folder', t => {
  const state = stateWithChannels({ folder_id: 2 }, {}, { folder_id: 1 }, { folder_id: 2 })
  t.same(channelGroups(state), [
    { section: 'channels', channels: [1] },
    { section: 'folder:1', channels: [2] },
    { section: 'folder:2', channels: [0, 3] },
  ])
  play(state, { type: 'channel_folder', op: 'reorder', order: [2, 1] })
  t.same(channelsInOrder(state), [1, 0, 3, 2])
  play(state, { type: 'stream', op: 'update', stream_id: 2, name: 'c2', property: 'folder_id', value: null })
  t.same(channelGroups(state), [
    { section: 'channels', channels: [1, 2] },
    { section: 'folder:2', channels: [0, 3] },
  ])
  t.end()
})

t.test('pinned channels are above all others, muted ones last in their group; archived ones are left out', t => {
  const state = stateWithChannels(
    { folder_id: 1, is_muted: true },
    { folder_id: 1 },
    { folder_id: 1, pin_to_top: true },
    { folder_id: 1, is_archived: true },
  )
  t.same(channelGroups(state), [
    { section: 'pinned', channels: [2] },
    { section: 'folder:1', channels: [1, 0] },
  ])
  t.end()
})

t.test('without folders in the list, all channels that are not pinned are together', t => {
  const state = stateWithChannels({ folder_id: 1 }, { folder_id: 2, pin_to_top: true }, {})
  state.user_settings.web_left_sidebar_show_channel_folders = false
  t.same(channelGroups(state), [
    { section: 'pinned', channels: [1] },
    { section: 'channels', channels: [0, 2] },
  ])
  t.end()
})

t.test('a channel of an unknown folder is above the folders', t => {
  t.same(channelGroups(stateWithChannels({ folder_id: 77 }, { folder_id: 1 })), [
    { section: 'channels', channels: [0] },
    { section: 'folder:1', channels: [1] },
  ])
  t.end()
})

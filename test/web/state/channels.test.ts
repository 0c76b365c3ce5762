import t from 'tap'
import { channelGroups, channelsInOrder } from '../../../server/web/state/channels.js'
import type { ChatState } from '../../../server/web/state/chat-state.js'
import type { Subscription } from '../../../shared/events/client-state.js'
import { play, someState } from './state.js'

const folder = (id: number, name: string, order: number) => ({
  id,
  name,
  order,
  description: '',
  rendered_description: '',
  date_created: 1,
  creator_id: null,
  is_archived: false,
})

function stateWith(...channels: Partial<Subscription>[]): ChatState {
  const state = someState()
  state.subscriptions = {}
  state.channel_folders = [folder(1, 'Teams', 0), folder(2, 'Projects', 1)]
  for (const [i, channel] of channels.entries()) {
    const plain = {
      stream_id: i,
      name: `c${i}`,
      is_archived: false,
      is_muted: false,
      pin_to_top: false,
      folder_id: null,
    }
    state.subscriptions[i] = { ...plain, ...channel } as Subscription
  }
  return state
}

t.test('channels without a folder come first, then each folder in the order; no empty folder', t => {
  const state = stateWith({ folder_id: 2 }, {}, { folder_id: 1 }, { folder_id: 2 })
  t.same(channelGroups(state), [
    { folderId: null, channels: [1] },
    { folderId: 1, channels: [2] },
    { folderId: 2, channels: [0, 3] },
  ])
  play(state, { type: 'channel_folder', op: 'reorder', order: [2, 1] })
  t.same(channelsInOrder(state), [1, 0, 3, 2])
  play(state, { type: 'stream', op: 'update', stream_id: 2, name: 'c2', property: 'folder_id', value: null })
  t.same(channelGroups(state), [
    { folderId: null, channels: [1, 2] },
    { folderId: 2, channels: [0, 3] },
  ])
  t.end()
})

t.test('pinned channels are above the folders, muted ones last in their group; archived ones are left out', t => {
  const state = stateWith(
    { folder_id: 1, is_muted: true },
    { folder_id: 1 },
    { folder_id: 1, pin_to_top: true },
    { folder_id: 1, is_archived: true },
  )
  t.same(channelGroups(state), [
    { folderId: null, channels: [2] },
    { folderId: 1, channels: [1, 0] },
  ])
  t.end()
})

t.test('a channel of an unknown folder is above the folders', t => {
  t.same(channelGroups(stateWith({ folder_id: 77 }, { folder_id: 1 })), [
    { folderId: null, channels: [0] },
    { folderId: 1, channels: [1] },
  ])
  t.end()
})

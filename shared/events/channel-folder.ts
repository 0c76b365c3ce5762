import { z } from 'zod'
import { type ChannelFolder, channelFolder } from '../resources/channel-folder.js'
import type { ClientState } from './client-state.js'
import { defineEvent } from './event.js'

type State = ClientState & { channel_folders?: ChannelFolder[] }

export const channelFolderAdd = defineEvent('channel_folder/add', {
  doc: 'An administrator created a folder for channels; it is the last one in the order.',
  fields: z.object({ channel_folder: channelFolder }),
  audit: ({ channel_folder: { id, name } }) => [{ subject: { channel_folder_id: id }, before: null, after: { name } }],
  apply(state: State, event) {
    state.channel_folders?.push(event.channel_folder)
  },
})

export const channelFolderUpdate = defineEvent('channel_folder/update', {
  doc: 'An administrator changed a folder, or archived or restored it.',
  fields: z.object({
    channel_folder_id: z.int(),
    data: channelFolder
      .pick({ name: true, description: true, rendered_description: true, is_archived: true })
      .partial()
      .describe('The changed fields; `rendered_description` comes with `description`.'),
  }),
  audit: ({ channel_folder_id, data: { rendered_description: _, ...after } }) => [
    { subject: { channel_folder_id }, before: null, after },
  ],
  apply(state: State, { channel_folder_id, data }) {
    state.channel_folders = state.channel_folders?.map(one =>
      one.id === channel_folder_id ? { ...one, ...data } : one,
    )
  },
})

export const channelFolderReorder = defineEvent('channel_folder/reorder', {
  doc: 'An administrator changed the order of the folders.',
  fields: z.object({
    order: z.array(z.int()).describe('The ids of all folders, archived ones included; positions count from 0.'),
  }),
  audit: ({ order }) => [{ subject: {}, before: null, after: { order } }],
  apply(state: State, { order }) {
    const positions = new Map(order.map((id, position) => [id, position]))
    state.channel_folders = state.channel_folders
      ?.map(one => ({ ...one, order: positions.get(one.id) ?? one.order }))
      .sort((a, b) => a.order - b.order)
  },
})

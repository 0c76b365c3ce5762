import { z } from 'zod'
import { type ChannelFolder, channelFolder } from '../resources/channel-folder.js'
import type { ClientState } from './client-state.js'
import { defineEvent } from './event.js'

type State = ClientState & { channel_folders?: ChannelFolder[] }

const added = z.object({ channel_folder: channelFolder })
const updated = z.object({
  channel_folder_id: z.int(),
  data: channelFolder
    .pick({ name: true, description: true, rendered_description: true, is_archived: true })
    .partial()
    .describe('The changed fields; `rendered_description` comes with `description`.'),
})
const reordered = z.object({
  order: z.array(z.int()).describe('The ids of all folders, archived ones included; positions count from 0.'),
})

export const channelFolderAdd = defineEvent('channel_folder/add', {
  doc: 'An administrator created a folder for channels; it is the last one in the order.',
  fields: added,
  audit: ({ channel_folder: { id, name } }) => [{ subject: { channel_folder_id: id }, before: null, after: { name } }],
  apply: applyChannelFolderAdd,
})

export const channelFolderUpdate = defineEvent('channel_folder/update', {
  doc: 'An administrator changed a folder, or archived or restored it.',
  fields: updated,
  audit: ({ channel_folder_id, data: { rendered_description: _, ...after } }) => [
    { subject: { channel_folder_id }, before: null, after },
  ],
  apply: applyChannelFolderUpdate,
})

export const channelFolderReorder = defineEvent('channel_folder/reorder', {
  doc: 'An administrator changed the order of the folders.',
  fields: reordered,
  audit: ({ order }) => [{ subject: {}, before: null, after: { order } }],
  apply: applyChannelFolderReorder,
})

export function applyChannelFolderAdd(state: State, event: z.output<typeof added>): void {
  state.channel_folders?.push(event.channel_folder)
}

export function applyChannelFolderUpdate(state: State, { channel_folder_id, data }: z.output<typeof updated>): void {
  const folders = state.channel_folders
  if (folders) state.channel_folders = folders.map(one => (one.id === channel_folder_id ? { ...one, ...data } : one))
}

export function applyChannelFolderReorder(state: State, { order }: z.output<typeof reordered>): void {
  const positions = new Map(order.map((id, position) => [id, position]))
  const folders = state.channel_folders
  if (!folders) return
  state.channel_folders = folders
    .map(one => ({ ...one, order: positions.get(one.id) ?? one.order }))
    .sort((a, b) => a.order - b.order)
}

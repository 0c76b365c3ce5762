import type { Route } from '../route.js'
import { createChannelFolder } from './create-channel-folder.js'
import { getChannelFolders } from './get-channel-folders.js'
import { reorderChannelFolders } from './reorder-channel-folders.js'
import { updateChannelFolder } from './update-channel-folder.js'

export const channelFoldersRoutes: readonly Route[] = [
  getChannelFolders,
  createChannelFolder,
  reorderChannelFolders,
  updateChannelFolder,
]

import { z } from 'zod'
import { channelFolder } from '../../../shared/resources/channel-folder.js'
import { readChannelFolders, readWebPublicFolders } from '../../store/channels/channel-folders.js'
import type { StatePiece } from '../state-piece.js'

/** All folders, archived ones included; for spectators those with a web-public channel. */
export const channelFoldersPiece: StatePiece = {
  fetchType: 'channel_folders',
  fields: { channel_folders: z.array(channelFolder) },
  selects: [readChannelFolders],
  read: async ({ actor, tx, rows }) => ({
    channel_folders: actor ? rows.of(readChannelFolders) : await readWebPublicFolders(tx),
  }),
}

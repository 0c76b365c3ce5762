import { z } from 'zod'
import { channelFolder } from '../../../shared/resources/channel-folder.js'
import { boolean } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { readChannelFolders } from '../../store/channels/channel-folders.js'
import { route } from '../route.js'

export const getChannelFolders = route({
  operation: 'get_channel_folders',
  method: 'GET',
  path: '/channel_folders',
  doc: 'Lists the folders that group channels, in their order.',
  allow: anyAccount,
  params: z.object({
    include_archived: boolean().default(false).describe('Whether archived folders are listed, too.'),
  }),
  returns: z.object({ channel_folders: z.array(channelFolder) }),
  errors: [],
  async handle({ ctx, params: { include_archived } }) {
    const folders = await readChannelFolders(ctx.sql)
    return { channel_folders: folders.filter(folder => include_archived || !folder.is_archived) }
  },
})

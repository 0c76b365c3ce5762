import { z } from 'zod'
import { changeFolder } from '../../actions/channel-folders/change-folders.js'
import { boolean } from '../../params/schemas.js'
import { administrators } from '../../policies/allow.js'
import { route } from '../route.js'
import { folderDescription, folderId, folderName } from './params.js'

export const updateChannelFolder = route({
  operation: 'update_channel_folder',
  method: 'PATCH',
  path: '/channel_folders/{channel_folder_id}',
  doc: 'Changes a folder; absent parameters keep their values. A folder with channels cannot be archived. Administrators only.',
  allow: administrators,
  params: z.object({
    channel_folder_id: folderId(),
    name: folderName.optional().describe('The new name.'),
    description: folderDescription.optional().describe('The new description, in Markdown.'),
    is_archived: boolean().optional().describe('True archives the folder, false restores it.'),
  }),
  returns: z.object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'BAD_REQUEST'],
  isAdministrative: true,
  async handle({ ctx, actor, params: { channel_folder_id, ...change } }) {
    await changeFolder(ctx, actor, channel_folder_id, change)
    return {}
  },
})

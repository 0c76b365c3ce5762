import { z } from 'zod'
import { createFolder } from '../../actions/channel-folders/change-folders.js'
import { administrators } from '../../policies/allow.js'
import { route } from '../route.js'
import { folderDescription, folderName } from './params.js'

export const createChannelFolder = route({
  operation: 'create_channel_folder',
  method: 'POST',
  path: '/channel_folders/create',
  doc: 'Creates a folder that groups channels; it is the last one in the order. Administrators only.',
  allow: administrators,
  params: z.object({
    name: folderName.describe('No other folder that is not archived may have it, in any letter case.'),
    description: folderDescription.describe('Markdown; may be empty.'),
  }),
  returns: z.object({ channel_folder_id: z.int() }),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'BAD_REQUEST'],
  isAdministrative: true,
  creates: true,
  async handle({ creating, actor, params }) {
    return creating(
      ctx => createFolder(ctx, actor, params),
      channel_folder_id => ({ channel_folder_id }),
    )
  },
})

import { z } from 'zod'
import { reorderFolders } from '../../actions/channel-folders/change-folders.js'
import { budgets } from '../../config/budgets.js'
import { json, listWithoutRepeats } from '../../params/schemas.js'
import { administrators } from '../../policies/allow.js'
import { route } from '../route.js'

export const reorderChannelFolders = route({
  operation: 'reorder_channel_folders',
  method: 'PATCH',
  path: '/channel_folders',
  doc: 'Changes the order of the folders. Administrators only.',
  allow: administrators,
  params: z.object({
    order: json(listWithoutRepeats(z.int(), budgets.channelFolders.most)).describe(
      'Every folder exactly once, archived ones included, in the new order.',
    ),
  }),
  returns: z.object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'BAD_REQUEST'],
  isAdministrative: true,
  async handle({ ctx, actor, params: { order } }) {
    await reorderFolders(ctx, actor, order)
    return {}
  },
})

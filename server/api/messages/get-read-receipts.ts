import { z } from 'zod'
import { badRequest } from '../../../shared/errors.js'
import { findMessage } from '../../lookups/find-message.js'
import { pathId } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { showsReceipts } from '../../policies/read-receipts.js'
import { realmSetting } from '../../policies/settings.js'
import { readersOf } from '../../store/reading/read-receipts.js'
import { route } from '../route.js'

export const getReadReceipts = route({
  operation: 'get_read_receipts',
  method: 'GET',
  path: '/messages/{message_id}/read_receipts',
  doc: 'Lists who has read a message, if the organization shows it. Left out are its sender, and users who do not let others see it.',
  allow: anyAccount,
  params: z.object({ message_id: pathId().describe('The message.') }),
  returns: z.object({ user_ids: z.array(z.int()).describe('Ascending.') }),
  errors: ['BAD_REQUEST'],
  async handle({ ctx, actor, params }) {
    const { message, user } = await findMessage(ctx, ctx.sql, actor, params.message_id)
    if (!realmSetting(ctx.directory, 'enable_read_receipts')) {
      throw badRequest('Read receipts are disabled in this organization.')
    }
    const readers = await readersOf(ctx.sql, message)
    const shows = showsReceipts(ctx.directory, user ?? actor.user, message.sender_id)
    return { user_ids: readers.filter(shows).sort((a, b) => a - b) }
  },
})

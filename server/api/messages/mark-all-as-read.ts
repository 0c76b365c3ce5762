import { z } from 'zod'
import { markAllRead } from '../../actions/messages/mark-read.js'
import { loadReader } from '../../lookups/load-reader.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'

export const markAllAsRead = route({
  operation: 'mark_all_as_read',
  method: 'POST',
  path: '/mark_all_as_read',
  doc: 'Marks all your messages as read.',
  allow: anyAccount,
  params: z.object({}),
  returns: z.object({
    complete: z.boolean().describe('Always true: the server marks all messages in one step.'),
  }),
  errors: [],
  async handle({ ctx, actor }) {
    await markAllRead(ctx, await loadReader(ctx, actor))
    return { complete: true }
  },
})

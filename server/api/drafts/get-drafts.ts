import { z } from 'zod'
import { draft } from '../../../shared/resources/draft.js'
import { requireDrafts } from '../../actions/drafts/change-drafts.js'
import { anyAccount } from '../../policies/allow.js'
import { readDrafts } from '../../store/personal/drafts.js'
import { route } from '../route.js'

export const getDrafts = route({
  operation: 'get_drafts',
  method: 'GET',
  path: '/drafts',
  doc: 'Lists your drafts, the last edited one at the end.',
  allow: anyAccount,
  params: z.object({}),
  returns: z.object({ count: z.int(), drafts: z.array(draft) }),
  errors: ['BAD_REQUEST'],
  async handle({ ctx, actor }) {
    await requireDrafts(ctx, actor)
    const drafts = (await readDrafts(ctx.sql, actor.user.id)).reverse()
    return { count: drafts.length, drafts }
  },
})

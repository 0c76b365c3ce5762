import { z } from 'zod'
import { deleteDraft as remove } from '../../actions/drafts/change-drafts.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'
import { draftId } from './params.js'

export const deleteDraft = route({
  operation: 'delete_draft',
  method: 'DELETE',
  path: '/drafts/{draft_id}',
  doc: 'Deletes one of your drafts.',
  allow: anyAccount,
  params: z.object({ draft_id: draftId }),
  returns: z.object({}),
  errors: ['BAD_REQUEST', ['BAD_REQUEST', 404]],
  async handle({ ctx, actor, params: { draft_id } }) {
    await remove(ctx, actor, draft_id)
    return {}
  },
})

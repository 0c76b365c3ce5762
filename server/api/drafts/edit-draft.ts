import { z } from 'zod'
import { editDraft as edit } from '../../actions/drafts/change-drafts.js'
import { json } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'
import { draftId, givenDraft } from './params.js'

export const editDraft = route({
  operation: 'edit_draft',
  method: 'PATCH',
  path: '/drafts/{draft_id}',
  doc: 'Replaces one of your drafts.',
  allow: anyAccount,
  params: z.object({ draft_id: draftId, draft: json(givenDraft) }),
  returns: z.object({}),
  errors: ['BAD_REQUEST', ['BAD_REQUEST', 404]],
  async handle({ ctx, actor, params: { draft_id, draft } }) {
    await edit(ctx, actor, draft_id, draft)
    return {}
  },
})

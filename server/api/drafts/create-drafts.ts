import { z } from 'zod'
import { createDrafts as create } from '../../actions/drafts/change-drafts.js'
import { json } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'
import { givenDraft } from './params.js'

// More contents would exceed the size of a body.
const mostAtOnce = 100

export const createDrafts = route({
  operation: 'create_drafts',
  method: 'POST',
  path: '/drafts',
  doc: 'Stores drafts, all or none. At most a thousand per user.',
  allow: anyAccount,
  params: z.object({ drafts: json(z.array(givenDraft).max(mostAtOnce)).describe('Messages that are not sent yet.') }),
  returns: z.object({ ids: z.array(z.int()).describe('In the order of the drafts.') }),
  errors: ['BAD_REQUEST'],
  creates: true,
  async handle({ creating, actor, params }) {
    return creating(
      ctx => create(ctx, actor, params.drafts),
      ({ draft_ids }) => ({ ids: draft_ids }),
    )
  },
})

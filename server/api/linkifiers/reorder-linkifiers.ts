import { z } from 'zod'
import { reorderLinkifiers as reorderList } from '../../actions/linkifiers/edit-list.js'
import { budgets } from '../../config/budgets.js'
import { json, listWithoutRepeats } from '../../params/schemas.js'
import { administrators } from '../../policies/allow.js'
import { route } from '../route.js'

export const reorderLinkifiers = route({
  operation: 'reorder_linkifiers',
  method: 'PATCH',
  path: '/realm/linkifiers',
  doc: 'Changes the order in which linkifiers are applied: where two match, the first one makes the link. Administrators only.',
  allow: administrators,
  params: z.object({
    ordered_linkifier_ids: json(listWithoutRepeats(z.int(), budgets.linkifiers.most)).describe(
      'Every linkifier exactly once, in the new order.',
    ),
  }),
  returns: z.object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'BAD_REQUEST'],
  isAdministrative: true,
  async handle({ ctx, actor, params: { ordered_linkifier_ids } }) {
    await reorderList(ctx, actor, ordered_linkifier_ids)
    return {}
  },
})

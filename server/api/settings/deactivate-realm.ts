import { z } from 'zod'
import { limits } from '../../../shared/limits.js'
import { deactivateOrganization } from '../../actions/closing/deactivate-organization.js'
import { json } from '../../params/schemas.js'
import { owners } from '../../policies/allow.js'
import { route } from '../route.js'

const { least, most } = limits.realm_deletion_days

export const deactivateRealm = route({
  operation: 'deactivate_realm',
  method: 'POST',
  path: '/realm/deactivate',
  doc: 'Deactivates the organization: all keys, sessions and queues end, and the owners are mailed. The operator of the server can offer them to activate it again. Owners only.',
  allow: owners,
  params: z.object({
    deletion_delay_days: json(z.int().min(least).max(most).nullable())
      .default(null)
      .describe('So many days later all messages, files and accounts are deleted; null: never.'),
  }),
  returns: z.object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  isAdministrative: true,
  async handle({ ctx, actor, params: { deletion_delay_days } }) {
    await deactivateOrganization(ctx, actor, deletion_delay_days)
    return {}
  },
})

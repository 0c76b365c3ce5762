import { z } from 'zod'
import { removeDomain } from '../../actions/organization-lists/domains.js'
import { owners } from '../../policies/allow.js'
import { route } from '../route.js'
import { listedDomain } from './params.js'

export const deleteRealmDomain = route({
  operation: 'delete_realm_domain',
  method: 'DELETE',
  path: '/realm/domains/{domain}',
  doc: 'Removes an allowed domain. Without the last one `emails_restricted_to_domains` becomes false. Owners only.',
  allow: owners,
  params: z.object({ domain: listedDomain() }),
  returns: z.object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'BAD_REQUEST'],
  isAdministrative: true,
  async handle({ ctx, actor, params: { domain } }) {
    await removeDomain(ctx, actor, domain)
    return {}
  },
})

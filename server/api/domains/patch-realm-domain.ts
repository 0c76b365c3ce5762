import { z } from 'zod'
import { changeDomain } from '../../actions/organization-lists/domains.js'
import { owners } from '../../policies/allow.js'
import { route } from '../route.js'
import { allowSubdomains, listedDomain } from './params.js'

export const patchRealmDomain = route({
  operation: 'patch_realm_domain',
  method: 'PATCH',
  path: '/realm/domains/{domain}',
  doc: 'Changes whether subdomains of an allowed domain are allowed, too. Owners only.',
  allow: owners,
  params: z.object({ domain: listedDomain(), allow_subdomains: allowSubdomains() }),
  returns: z.object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'BAD_REQUEST'],
  isAdministrative: true,
  async handle({ ctx, actor, params }) {
    await changeDomain(ctx, actor, params)
    return {}
  },
})

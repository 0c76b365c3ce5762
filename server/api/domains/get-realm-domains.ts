import { z } from 'zod'
import { realmDomain } from '../../../shared/resources/realm-domain.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'

export const getRealmDomains = route({
  operation: 'get_realm_domains',
  method: 'GET',
  path: '/realm/domains',
  doc: 'Lists the domains of the addresses with which accounts can be made while `emails_restricted_to_domains` is on.',
  allow: anyAccount,
  params: z.object({}),
  returns: z.object({ domains: z.array(realmDomain) }),
  errors: [],
  async handle({ ctx }) {
    await ctx.directory.fresh()
    return { domains: ctx.directory.lists.domains }
  },
})

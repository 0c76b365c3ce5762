import { z } from 'zod'
import { addDomain, isDomain } from '../../actions/organization-lists/domains.js'
import { text } from '../../params/schemas.js'
import { owners } from '../../policies/allow.js'
import { route } from '../route.js'
import { allowSubdomains } from './params.js'

const mostCharacters = 255

const newDomain = text(mostCharacters)
  .transform(value => value.trim().toLowerCase())
  .refine(isDomain, 'no domain: at least two labels of letters, digits and hyphens')
  .meta({ minLength: 3, maxLength: mostCharacters })

export const addRealmDomain = route({
  operation: 'add_realm_domain',
  method: 'POST',
  path: '/realm/domains',
  doc: 'Adds a domain of the addresses with which accounts can be made while `emails_restricted_to_domains` is on. Owners only.',
  allow: owners,
  params: z.object({
    domain: newDomain.describe('The domain in its ASCII form; the server stores it in lower case.'),
    allow_subdomains: allowSubdomains(),
  }),
  returns: z.object({ new_domain: z.tuple([z.int(), z.string()]).describe('Its id, and the domain as stored.') }),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'BAD_REQUEST'],
  isAdministrative: true,
  creates: true,
  async handle({ creating, actor, params }) {
    return creating(
      ctx => addDomain(ctx, actor, params),
      id => ({ new_domain: [id, params.domain] }),
    )
  },
})

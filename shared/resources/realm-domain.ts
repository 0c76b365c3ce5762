import { z } from 'zod'

/** A domain of the addresses that are allowed while `emails_restricted_to_domains` is on. */
export const realmDomain = z.object({
  domain: z.string().describe('In lower case.'),
  allow_subdomains: z.boolean().describe('Whether subdomains are allowed, too.'),
})

export type RealmDomain = z.output<typeof realmDomain>

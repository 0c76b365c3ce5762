import { z } from 'zod'
import { realmDomain } from '../../../shared/resources/realm-domain.js'
import type { StatePiece } from '../state-piece.js'

export const domainsPiece: StatePiece = {
  fetchType: 'realm_domains',
  fields: { realm_domains: z.array(realmDomain) },
  read: async ({ ctx }) => ({ realm_domains: ctx.directory.lists.domains }),
}

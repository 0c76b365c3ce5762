import { z } from 'zod'
import { linkifier } from '../../../shared/resources/linkifier.js'
import type { StatePiece } from '../state-piece.js'

/** Empty for clients without linkifier_url_template, which get no events about linkifiers either. */
export const linkifiersPiece: StatePiece = {
  fetchType: 'realm_linkifiers',
  fields: { realm_linkifiers: z.array(linkifier) },
  read: async ({ ctx, options: { view } }) => ({
    realm_linkifiers: view.linkifier_url_template ? ctx.directory.linkifiers.all : [],
  }),
}

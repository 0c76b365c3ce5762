import type { StatePiece } from '../events/state.js'

/** Empty for clients without linkifier_url_template, which get no events about linkifiers either. */
export const linkifiersPiece: StatePiece = {
  fetchType: 'realm_linkifiers',
  read: async ({ ctx, options: { view } }) => ({
    realm_linkifiers: view.linkifier_url_template ? ctx.directory.linkifiers.all : [],
  }),
}

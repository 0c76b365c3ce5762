import type { StatePiece } from '../events/state.js'

/** Nothing for clients that do not know url templates: they get no events of them either. */
export const linkifiersPiece: StatePiece = {
  fetchType: 'realm_linkifiers',
  read: async ({ ctx, options: { view } }) => ({
    realm_linkifiers: view.linkifier_url_template ? ctx.directory.linkifiers.all : [],
  }),
}

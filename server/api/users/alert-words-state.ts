import { z } from 'zod'
import { currentUser } from '../../lookups/find-user.js'
import type { StatePiece } from '../state-piece.js'

export const alertWordsPiece: StatePiece = {
  fetchType: 'alert_words',
  fields: { alert_words: z.array(z.string()).describe('As written, in the order in which they were added.') },
  async read({ ctx, actor }) {
    return { alert_words: actor ? currentUser(ctx.directory, actor.user).alert_words : [] }
  },
}

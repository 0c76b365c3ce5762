import { z } from 'zod'
import { mutedUser } from '../../../shared/resources/muted-user.js'
import { currentUser } from '../../lookups/find-user.js'
import type { StatePiece } from '../state-piece.js'

export const mutedUsersPiece: StatePiece = {
  fetchType: 'muted_users',
  fields: { muted_users: z.array(mutedUser) },
  async read({ ctx, actor }) {
    return { muted_users: actor ? currentUser(ctx.directory, actor.user).muted_users : [] }
  },
}

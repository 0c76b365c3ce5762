import { z } from 'zod'
import { playground } from '../../../shared/resources/playground.js'
import type { StatePiece } from '../state-piece.js'

export const playgroundsPiece: StatePiece = {
  fetchType: 'realm_playgrounds',
  fields: { realm_playgrounds: z.array(playground) },
  read: async ({ ctx }) => ({ realm_playgrounds: ctx.directory.lists.playgrounds }),
}

import { z } from 'zod'
import { draft } from '../../../shared/resources/draft.js'
import { readDrafts } from '../../store/personal/drafts.js'
import type { StatePiece } from '../state-piece.js'

export const draftsPiece: StatePiece = {
  fetchType: 'drafts',
  fields: { drafts: z.array(draft).describe('The last edited one first.') },
  selects: [readDrafts],
  read: async ({ actor, rows }) => ({ drafts: actor ? rows.of(readDrafts) : [] }),
}

import { z } from 'zod'
import { scheduledMessage } from '../../../shared/resources/scheduled-message.js'
import { readScheduled, scheduledObject } from '../../store/personal/scheduled-messages.js'
import type { StatePiece } from '../state-piece.js'

export const scheduledPiece: StatePiece = {
  fetchType: 'scheduled_messages',
  fields: { scheduled_messages: z.array(scheduledMessage).describe('The next one first.') },
  selects: [readScheduled],
  read: async ({ actor, rows }) => ({
    scheduled_messages: actor ? rows.of(readScheduled).map(scheduledObject) : [],
  }),
}

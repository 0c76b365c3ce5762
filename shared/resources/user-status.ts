import { z } from 'zod'
import { reactionTypes } from './message.js'

/** What a user says of itself at the moment; only parts that are set. */
export const userStatus = z.object({
  away: z.boolean().optional().describe('True exactly while the user does not share its presence. Deprecated.'),
  status_text: z.string().optional(),
  emoji_name: z.string().optional(),
  emoji_code: z.string().optional(),
  reaction_type: z.string().meta({ enum: reactionTypes }).optional().describe('Kind of the emoji.'),
  expires_at: z
    .int()
    .optional()
    .describe('When the text and the emoji end, in UNIX seconds; absent: they stay. A field of this server alone.'),
})

export type UserStatus = z.output<typeof userStatus>

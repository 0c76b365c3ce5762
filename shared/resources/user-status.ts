import { z } from 'zod'

/** What a user says of itself at the moment; only parts that are set. */
export const userStatus = z.object({
  away: z.boolean().optional().describe('True exactly while the user does not share its presence. Deprecated.'),
  status_text: z.string().optional(),
  emoji_name: z.string().optional(),
  emoji_code: z.string().optional(),
  reaction_type: z.string().optional().describe('Kind of the emoji, as in reactions.'),
})

export type UserStatus = z.output<typeof userStatus>

import { z } from 'zod'

/** A picture that users of the organization added under a name. */
export const customEmoji = z.object({
  id: z.string().describe('Decimal; the `emoji_code` of reactions with it.'),
  name: z.string(),
  source_url: z.string().describe('Path of its picture.'),
  still_url: z.string().nullable().describe('Path of a still picture, if the other one moves.'),
  deactivated: z.boolean().describe('Old messages and reactions still show it; new ones cannot.'),
  author_id: z.int().nullable(),
})
export type CustomEmoji = z.output<typeof customEmoji>

/** By id. */
export const customEmojiMap = z.record(z.string(), customEmoji)
export type CustomEmojiMap = z.output<typeof customEmojiMap>

import { z } from 'zod'
import { codePoints, limits } from '../../../shared/limits.js'
import { emojiCode, text } from '../../params/schemas.js'
import { wellFormed } from '../../text/content.js'

const most = limits.status_text_length

/** The parts of a status that a request changes; an absent part stays as it is. */
export const statusParams = {
  status_text: z
    .string()
    .transform(value => wellFormed(value.trim()))
    .refine(value => codePoints(value) <= most, `Too long: at most ${most} characters.`)
    .refine(value => !value.includes('\0'), 'Must not contain null bytes.')
    .meta({ maxLength: most })
    .optional()
    .describe('The text, without the spaces around it; empty: no text.'),
  emoji_name: text().optional().describe('Name of an emoji; empty: no emoji.'),
  emoji_code: emojiCode().optional().describe('The code of the emoji; default: the code of the name.'),
  reaction_type: text().optional().describe('`unicode_emoji`, `realm_emoji`, or the type of the extra emoji.'),
}

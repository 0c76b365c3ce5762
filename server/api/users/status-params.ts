import { z } from 'zod'
import { codePoints, limits } from '../../../shared/limits.js'
import type { Condition } from '../../params/conditions.js'
import { emojiCode, reactionType, text } from '../../params/schemas.js'
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
  reaction_type: reactionType().optional().describe('Default: the type of the emoji with this name.'),
}

const nameless = 'Must provide emoji_name together with emoji_code or reaction_type.'

/** What the parts of a status require of each other. */
export const statusConditions: readonly Condition<keyof typeof statusParams>[] = [
  { when: { emoji_code: 'given' }, anyOf: ['emoji_name'], refusal: nameless },
  { when: { reaction_type: 'given' }, anyOf: ['emoji_name'], refusal: nameless },
]

export const noNewStatus = 'No new status was given.'

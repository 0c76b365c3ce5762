import { z } from 'zod'
import { codePoints } from '../../../shared/limits.js'
import { budgets } from '../../config/budgets.js'
import { json, list, text } from '../../params/schemas.js'

const maxKeys = budgets.storageKeys.most

// PostgreSQL text cannot contain NUL, and an unpaired surrogate would be read back as another character.
const isStorable = (text: string): boolean => !/\0|\p{Cs}/u.test(text)

/** Stops at the first invalid entry: a body of this operation can have more than a million. */
function checkEntries(value: unknown, context: z.core.$RefinementCtx): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const complain = (message: string, path: string[] = []) => {
    context.addIssue({ code: 'custom', message, path, input: value })
    return value
  }
  // Many JSON libraries, also in clients, drop this key; an error is better than a lost entry.
  if (Object.hasOwn(value, '__proto__')) return complain('A key cannot be named __proto__.')
  const entries = Object.entries(value)
  if (entries.length > maxKeys) return complain(`One request may have at most ${maxKeys} keys.`)
  const wrong = entries.find(([key, text]) => typeof text !== 'string' || !isStorable(key) || !isStorable(text))
  if (wrong) complain(typeof wrong[1] === 'string' ? 'A character cannot be stored.' : 'Not text.', [wrong[0]])
  return value
}

// One text may fill the whole storage of a bot, whose size is a setting.
const most = budgets.storageCharacters.most
const storageText = text(most)
// Not `text`, which replaces characters: it would name another key.
const key = z
  .string()
  .refine(isStorable, 'No key has such a character.')
  .refine(value => codePoints(value) <= most, `Too long: at most ${most} characters.`)
  .meta({ maxLength: most })
const entries = z.record(storageText, storageText).meta({ maxProperties: maxKeys })

/** Keys and values to store. */
export const storageParam = json(z.preprocess(checkEntries, entries))

export const keysParam = json(list(key, maxKeys)).optional().describe('Only these keys; default: all.')

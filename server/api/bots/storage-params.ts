import { z } from 'zod'
import { json } from '../params.js'

// Each key costs a digest and a row while others wait; how much they may be together is the organization's affair.
const maxKeys = 100_000

// What PostgreSQL keeps as text: no NUL, and no half of a surrogate pair, which would come back as another character.
const isStorable = (text: string): boolean => !/\0|\p{Cs}/u.test(text)

/** Stops at the first wrong entry: a body of this operation has room for more than a million. */
function checkEntries(value: unknown, context: z.core.$RefinementCtx): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const complain = (message: string, path: string[] = []) => {
    context.addIssue({ code: 'custom', message, path, input: value })
    return value
  }
  // Objects lose this key on many ways, in clients too: better said than lost.
  if (Object.hasOwn(value, '__proto__')) return complain('A key cannot be named __proto__.')
  const entries = Object.entries(value)
  if (entries.length > maxKeys) return complain(`One request may have at most ${maxKeys} keys.`)
  const wrong = entries.find(([key, text]) => typeof text !== 'string' || !isStorable(key) || !isStorable(text))
  if (wrong) complain(typeof wrong[1] === 'string' ? 'A character cannot be stored.' : 'Not text.', [wrong[0]])
  return value
}

const entries = z.record(z.string(), z.string()).meta({ maxProperties: maxKeys })

/** Keys and values. */
export const storageParam = json(z.preprocess(checkEntries, entries))

export const keysParam = json(z.array(z.string().refine(isStorable, 'No key has such a character.')))
  .optional()
  .describe('Only these keys; default all.')

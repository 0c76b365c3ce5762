import { z } from 'zod'
import { json } from '../params.js'

// What PostgreSQL keeps as text: no NUL, and no half of a surrogate pair, which would come back as another character.
const storable = z.string().refine(text => !/\0|\p{Cs}/u.test(text), 'A character cannot be stored.')

const entries = z.record(storable, storable)

// Objects lose this key on many ways, in clients too: better said than lost.
function refuseProto(value: unknown, context: z.core.$RefinementCtx): unknown {
  if (typeof value === 'object' && value !== null && Object.hasOwn(value, '__proto__')) {
    context.addIssue({ code: 'custom', message: 'A key cannot be named __proto__.', input: value })
  }
  return value
}

/** Keys and values, in any number; how much they may be together is the organization's affair. */
export const storageParam = json(z.preprocess(refuseProto, entries))

export const keysParam = json(z.array(z.string())).optional().describe('Only these keys; default all.')

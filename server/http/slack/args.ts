import { z } from 'zod'
import { parseJson } from '../../text/bounded-json.js'

// Arguments come as texts in a form, and as values in JSON.

// Characters: longer than every id and name.
const longestWord = 400

export const word = () => z.string().min(1).max(longestWord)

/** A text of any length that a body has. */
export const text = () => z.string()

export const flag = () =>
  z.union([
    z.boolean(),
    z.literal(['true', '1']).transform(() => true),
    z.literal(['false', '0']).transform(() => false),
  ])

export const count = (most: number) =>
  z
    .union([
      z.int(),
      z
        .string()
        .regex(/^\d{1,9}$/)
        .transform(Number),
    ])
    .pipe(z.int().min(1).max(most))

/** A value, or its JSON. */
export const structured = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .unknown()
    .transform((value, { addIssue }) => {
      if (typeof value !== 'string') return value
      try {
        return parseJson(value)
      } catch {
        addIssue({ code: 'custom', message: 'no JSON, or too deep' })
        return z.NEVER
      }
    })
    .pipe(schema)

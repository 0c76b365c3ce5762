import type { z } from 'zod'
import { pieces } from './pieces.js'

/** The fields of the state; each is present only with its fetch type. */
export const registerFields: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  pieces.flatMap(({ fetchType, fields }) =>
    Object.entries(fields).map(([name, schema]) => [
      name,
      schema.optional().describe([`With \`${fetchType}\`.`, schema.description].filter(Boolean).join(' ')),
    ]),
  ),
)

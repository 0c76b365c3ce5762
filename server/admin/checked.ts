import type { z } from 'zod'
import { AdminError } from './admin-error.js'

/** The value after the API's own schema has checked it. @throws {AdminError} */
export function checked<Schema extends z.ZodType>(schema: Schema, what: string, value: unknown): z.output<Schema> {
  const { success, data, error } = schema.safeParse(value)
  if (success) return data
  throw new AdminError(`${what}: ${error.issues[0]?.message ?? 'wrong value'}`, 'BAD_VALUE')
}

/** The value of a command-line argument: parsed if it is JSON, otherwise the text. */
export function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

import type { z } from 'zod'
import { AdminError } from './admin-error.js'

/** A value as the API's own schema reads it. @throws {AdminError} */
export function checked<Schema extends z.ZodType>(schema: Schema, what: string, value: unknown): z.output<Schema> {
  const { success, data, error } = schema.safeParse(value)
  if (success) return data
  throw new AdminError(`${what}: ${error.issues[0]?.message ?? 'wrong value'}`, 'BAD_VALUE')
}

/** What was typed, as JSON where it is JSON, and as text otherwise. */
export function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

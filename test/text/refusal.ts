import { NarrowError } from '../../server/narrow/grammar/grammar.js'

/** What a narrow was refused with, or undefined; any other error is passed on. */
export function refusal(read: () => unknown): string | undefined {
  try {
    read()
  } catch (error) {
    if (error instanceof NarrowError) return error.desc
    throw error
  }
  return undefined
}

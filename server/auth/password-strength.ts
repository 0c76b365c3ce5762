import { badRequest } from '../../shared/errors.js'
import { codePoints, limits } from '../../shared/limits.js'

// Characters of the password that are estimated: estimation time grows faster than linearly with the length, and a password is at least as
// hard to guess as its beginning.
const estimated = 40

/** Applies the limit that register announces (password_max_length). @throws {ApiError} BAD_REQUEST */
export function requireShortPassword(password: string): void {
  if (codePoints(password) > limits.password_max_length) throw badRequest('New password is too long!')
}

/** Applies the limits that register announces (the lengths, password_min_guesses). @throws {ApiError} BAD_REQUEST */
export async function requireStrongPassword(password: string, known: readonly string[]): Promise<void> {
  requireShortPassword(password)
  const length = codePoints(password)
  const { guessesFor } = await import('./password-guesses.js')
  const guesses = guessesFor(password.slice(0, estimated), known)
  if (length < limits.password_min_length || guesses < limits.password_min_guesses) {
    throw badRequest('New password is too weak!')
  }
}

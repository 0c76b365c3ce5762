import { badRequest } from '../../shared/errors.js'
import { codePoints, limits } from '../../shared/limits.js'

// Characters of the password that are estimated: estimation time grows faster than linearly with the length, and a password is at least as
// hard to guess as its beginning.
const estimated = 40

/** Applies the limits that register announces (password_min_length, password_min_guesses). @throws {ApiError} BAD_REQUEST */
export async function requireStrongPassword(password: string, known: readonly string[]): Promise<void> {
  const length = codePoints(password)
  if (length > limits.password_max_length) throw badRequest('New password is too long!')
  const { guessesFor } = await import('./password-guesses.js')
  const guesses = guessesFor(password.slice(0, estimated), known)
  if (length < limits.password_min_length || guesses < limits.password_min_guesses) {
    throw badRequest('New password is too weak!')
  }
}

import { zxcvbn, zxcvbnOptions } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'
import { badRequest } from '../../shared/errors.js'
import { codePoints, limits } from '../../shared/limits.js'

zxcvbnOptions.setOptions({ dictionary, graphs: adjacencyGraphs })

// Guessing time grows faster than the password; what is hard to guess after so many characters is hard to guess.
const estimated = 40

/** The limits that register announces (password_min_length, password_min_guesses). @throws {ApiError} BAD_REQUEST */
export function requireStrongPassword(password: string, known: readonly string[]): void {
  const length = codePoints(password)
  if (length > limits.password_max_length) throw badRequest('New password is too long!')
  const guesses = zxcvbn(password.slice(0, estimated), [...known]).guesses
  if (length < limits.password_min_length || guesses < limits.password_min_guesses) {
    throw badRequest('New password is too weak!')
  }
}

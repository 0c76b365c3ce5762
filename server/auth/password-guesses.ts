import { zxcvbn, zxcvbnOptions } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

// Ranking the dictionaries takes about 100 ms, so callers import this module only when they have a password to check.
zxcvbnOptions.setOptions({ dictionary, graphs: adjacencyGraphs })

/** The estimated number of guesses for an attacker who knows these words. */
export function guessesFor(password: string, known: readonly string[]): number {
  return zxcvbn(password, [...known]).guesses
}

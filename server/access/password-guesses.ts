import { zxcvbn, zxcvbnOptions } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

// Ranking the dictionaries takes a tenth of a second: whoever needs this module imports it when a password is there.
zxcvbnOptions.setOptions({ dictionary, graphs: adjacencyGraphs })

/** How many guesses somebody who knows these words would probably need. */
export function guessesFor(password: string, known: readonly string[]): number {
  return zxcvbn(password, [...known]).guesses
}

import { budgets } from '../../config/budgets.js'
import { keptText, text } from '../../params/schemas.js'

/** For changes of second factors. */
export const proof = () =>
  text(budgets.tokenCharacters.most).describe(
    'That you are you: the answer of `prove_own_identity`, at most ten minutes old.',
  )

export const passkeyName = () => keptText(60)

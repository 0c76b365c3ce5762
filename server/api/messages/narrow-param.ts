import { z } from 'zod'
import { budgets } from '../../config/budgets.js'
import { cutList, json } from '../../params/schemas.js'

// The narrow parser checks the terms, because it answers with the error code of narrows.
const term = z.union([cutList(z.unknown(), 2), z.record(z.string(), z.unknown()).meta({ maxProperties: 10 })])

/** Operators and operands are checked later, with an error code of their own. */
export const narrowParam = () =>
  json(cutList(term, budgets.narrowTerms.most).nullable()).describe(
    'Pairs of operator and operand, or objects with `operator`, `operand` and `negated`. All must hold.',
  )

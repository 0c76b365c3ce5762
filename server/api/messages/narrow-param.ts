import { z } from 'zod'
import { budgets } from '../../budgets.js'
import { json } from '../params.js'

// What a narrow may hold is checked where it is read, which refuses it with the code of narrows.
const term = z.union([
  z.array(z.unknown()).meta({ maxItems: 2 }),
  z.record(z.string(), z.unknown()).meta({ maxProperties: 10 }),
])

/** Operators and operands are read later: what is wrong with them has a code of its own. */
export const narrowParam = () =>
  json(z.array(term).meta({ maxItems: budgets.narrowTerms.most }).nullable()).describe(
    'Pairs of operator and operand, or objects with `operator`, `operand` and `negated`. All must hold.',
  )

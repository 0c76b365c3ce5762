import { z } from 'zod'
import { json } from '../params.js'

/** Operators and operands are read later: what is wrong with them has a code of its own. */
export const narrowParam = () =>
  json(z.array(z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())])).nullable()).describe(
    'Pairs of operator and operand, or objects with `operator`, `operand` and `negated`. All must hold.',
  )

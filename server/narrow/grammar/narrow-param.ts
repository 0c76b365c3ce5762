import { z } from 'zod'
import { isoTime } from '../../../shared/dates.js'
import { ApiError } from '../../../shared/errors.js'
import { budgets } from '../../config/budgets.js'
import { cutList, json } from '../../params/schemas.js'
import { canonical, operatorNames } from './grammar.js'
import {
  channelsOperands,
  hasOperands,
  inOperands,
  isOperands,
  NarrowError,
  type NarrowOperator,
  tooManyCharacters,
  tooManyTerms,
} from './terms.js'

// The narrow parser checks the terms, because it answers with the error code of narrows.
const operand = { type: 'string', maxLength: budgets.narrowCharacters.most }
const id = { type: 'integer', minimum: 0 }
const one = { anyOf: [operand, id] }
const operands = { anyOf: [...one.anyOf, { type: 'array', items: one, maxItems: budgets.narrowCharacters.most }] }
const idOrDigits = { anyOf: [id, { type: 'string', pattern: '^\\d{1,16}$' }] }
const moment = { type: 'string', pattern: isoTime.source }
const operandsOf: readonly (readonly [NarrowOperator, object])[] = [
  ['channel', one],
  ['topic', operand],
  ['sender', one],
  ['mentions', one],
  ['near', one],
  ['id', idOrDigits],
  ['with', idOrDigits],
  ['before', moment],
  ['after', moment],
  ['search', { type: 'string', minLength: 1, maxLength: budgets.searchCharacters.most }],
  // The last is an older word.
  ['is', { enum: [...isOperands, 'private'] }],
  ['has', { enum: hasOperands }],
  ['in', { enum: inOperands }],
  ['channels', { enum: channelsOperands }],
]
const byOperator = operandsOf.map(([name, operand]) => ({
  if: {
    properties: { operator: { enum: operatorNames.filter(word => canonical[word] === name) } },
    required: ['operator'],
  },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { properties: { operand } },
}))
const operator = { type: 'string', enum: operatorNames }
const term = z.union([cutList(z.unknown(), 2), z.record(z.string(), z.unknown()).meta({ maxProperties: 10 })]).meta({
  anyOf: [
    { type: 'array', items: operand, minItems: 2, maxItems: 2 },
    {
      type: 'object',
      properties: { operator, operand: operands, negated: { type: 'boolean' } },
      required: ['operator', 'operand'],
      allOf: byOperator,
    },
  ],
})

// Terms, what a pair holds, and the items of an operand, each of which counts as a character or more.
const lists = [budgets.narrowTerms.most, 2, budgets.narrowCharacters.most]

/** A narrow whose lists are counted before it is parsed. @throws {ApiError} BAD_NARROW */
export const narrowJson = <Schema extends z.ZodType>(schema: Schema) => json(schema, { lists, refusal })

function refusal(depth: number): ApiError {
  const errors = [tooManyTerms, () => new NarrowError('term is not a pair'), tooManyCharacters]
  return badNarrow((errors[depth] ?? tooManyCharacters)())
}

/** The answer to an invalid narrow. */
export const badNarrow = ({ message, desc }: NarrowError): ApiError => new ApiError('BAD_NARROW', message, { desc })

/** Operators and operands are checked later, with an error code of their own. */
export const narrowParam = () =>
  narrowJson(cutList(term, budgets.narrowTerms.most).nullable()).describe(
    'Pairs of operator and operand, or objects with `operator`, `operand` and `negated`. All must hold.',
  )

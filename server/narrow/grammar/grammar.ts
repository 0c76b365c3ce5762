import { parseIsoTime } from '../../../shared/dates.js'
import { codePoints } from '../../../shared/limits.js'
import { nearestWord } from '../../../shared/near-word.js'
import { budgets } from '../../config/budgets.js'
import {
  channelsOperands,
  hasOperands,
  inOperands,
  isOperands,
  NarrowError,
  type NarrowOperator,
  type NarrowTerm,
  type PersonOperand,
  requireNarrowSize,
} from './terms.js'

export { NarrowError, type NarrowTerm, type PersonOperand } from './terms.js'

/** The operators by all of their names, older ones among them. */
export const canonical: Readonly<Record<string, NarrowOperator>> = {
  channel: 'channel',
  stream: 'channel',
  channels: 'channels',
  streams: 'channels',
  topic: 'topic',
  subject: 'topic',
  dm: 'dm',
  'pm-with': 'dm',
  'dm-including': 'dm-including',
  'group-pm-with': 'group-pm-with',
  sender: 'sender',
  from: 'sender',
  mentions: 'mentions',
  is: 'is',
  has: 'has',
  in: 'in',
  near: 'near',
  id: 'id',
  with: 'with',
  before: 'before',
  after: 'after',
  search: 'search',
}

export const operatorNames = Object.keys(canonical)
// Of a word that is no operator.
const shownCharacters = 50

/**
 * Parses the `narrow` parameter: pairs of operator and operand, or objects with `negated`. Null means no conditions.
 * @throws {NarrowError} for an unknown operator or operand, and beyond a budget of narrows or searches.
 */
export function parseNarrow(value: unknown): NarrowTerm[] {
  if (value === null || value === undefined) return []
  if (!Array.isArray(value)) throw new NarrowError('narrow is not a list')
  requireNarrowSize(value)
  const terms = value.map(parseTerm)
  requireSearchSize(terms.flatMap(term => (term.operator === 'search' ? [term.operand] : [])))
  if (terms.some(term => term.operator === 'with' && term.negated)) throw new NarrowError("invalid 'with' operator")
  for (const once of ['with', 'before', 'after'] as const) {
    if (terms.filter(term => term.operator === once).length > 1) throw new NarrowError(`duplicate '${once}' operators`)
  }
  return terms
}

const ofChannels: readonly NarrowOperator[] = ['channel', 'channels', 'topic']
const ofConversations: readonly NarrowOperator[] = ['dm', 'dm-including', 'group-pm-with']

/** @throws {NarrowError} if the terms ask for messages that are in a channel and direct ones; negated terms ask for neither. */
export function requirePossible(terms: readonly NarrowTerm[]): void {
  const wanted = terms.filter(({ negated }) => !negated)
  const inChannel = wanted.some(({ operator }) => ofChannels.includes(operator))
  const direct = wanted.some(
    one => ofConversations.includes(one.operator) || (one.operator === 'is' && one.operand === 'dm'),
  )
  if (inChannel && direct) throw new NarrowError('No message can be both a channel message and direct message')
}

/** The database runs a separate lookup per phrase, and compares its text with every message that contains its words. */
function requireSearchSize(searches: readonly string[]): void {
  const { searchCharacters, searchPhrases } = budgets
  const text = searches.join('')
  if (codePoints(text) > searchCharacters.most)
    throw new NarrowError(`more than ${searchCharacters.most} characters to search for`)
  const phrases = searches.reduce((sum, search) => sum + phrasesOf(search).length, 0)
  if (phrases > searchPhrases.most) throw new NarrowError(`more than ${searchPhrases.most} phrases to search for`)
}

/** The phrases in quotation marks. */
export const phrasesOf = (search: string): string[] =>
  [...search.matchAll(/"([^"]*)"/g)].map(([, phrase = '']) => phrase)

function parseTerm(value: unknown): NarrowTerm {
  const { operator, operand, negated } = readTerm(value)
  if (typeof operator !== 'string') throw new NarrowError('operator is not a string')
  const name = Object.hasOwn(canonical, operator) ? canonical[operator] : undefined
  if (name === undefined) throw unknownOperator(operator)
  if (negated !== undefined && typeof negated !== 'boolean') throw new NarrowError('negated is not a boolean')
  return { ...parseOperand(name, operator, operand), negated: negated ?? false }
}

function unknownOperator(operator: string): NarrowError {
  const shown = operator.slice(0, shownCharacters)
  const near = nearestWord(shown, operatorNames)
  return new NarrowError(`unknown operator '${shown}'${near === undefined ? '' : `, did you mean '${near}'?`}`)
}

function readTerm(value: unknown): { operator?: unknown; operand?: unknown; negated?: unknown } {
  if (Array.isArray(value)) {
    if (value.length !== 2) throw new NarrowError('term is not a pair')
    if (value.some(item => typeof item !== 'string')) throw new NarrowError('a pair holds two strings')
    return { operator: value[0], operand: value[1] }
  }
  if (typeof value !== 'object' || value === null) throw new NarrowError('term is neither a pair nor an object')
  return value
}

type Unsigned<Term> = Term extends unknown ? Omit<Term, 'negated'> : never

/** `given` is the operator as the client wrote it, for error messages. */
function parseOperand(operator: NarrowOperator, given: string, operand: unknown): Unsigned<NarrowTerm> {
  switch (operator) {
    case 'channel':
      return { operator, operand: textOrId(given, operand) }
    case 'topic':
      return { operator, operand: text(given, operand) }
    case 'search':
      return { operator, operand: notBlank(given, operand) }
    case 'dm':
    case 'dm-including':
    case 'group-pm-with':
      return { operator, operand: people(given, operand) }
    case 'sender':
    case 'mentions':
      return { operator, operand: person(given, operand) }
    case 'near':
      return { operator, operand: textOrId(given, operand) }
    case 'id':
    case 'with':
      return { operator, operand: integer(given, operand) }
    case 'before':
    case 'after':
      return { operator, operand: moment(given, operand) }
    case 'is':
      // The legacy word for direct messages.
      return { operator, operand: oneOf(given, isOperands, operand === 'private' ? 'dm' : operand) }
    case 'has':
      return { operator, operand: oneOf(given, hasOperands, operand) }
    case 'in':
      return { operator, operand: oneOf(given, inOperands, operand) }
    case 'channels':
      return { operator, operand: oneOf(given, channelsOperands, operand) }
  }
}

function text(operator: string, operand: unknown): string {
  if (typeof operand !== 'string') throw new NarrowError(`operand of '${operator}' is not a string`)
  // PostgreSQL refuses text with a NUL, and no message contains one.
  if (operand.includes('\0')) throw new NarrowError(`operand of '${operator}' has a NUL character`)
  return operand
}

function notBlank(operator: string, operand: unknown): string {
  const given = text(operator, operand)
  if (given.trim() === '') throw new NarrowError(`operand of '${operator}' cannot be blank`)
  return given
}

function textOrId(operator: string, operand: unknown): string | number {
  return typeof operand === 'number' ? integer(operator, operand) : text(operator, operand)
}

function integer(operator: string, operand: unknown): number {
  const number = typeof operand === 'string' && /^\d{1,16}$/.test(operand) ? Number(operand) : operand
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < 0) {
    throw new NarrowError(`operand of '${operator}' is not a valid integer`)
  }
  return number
}

function moment(operator: string, operand: unknown): Date {
  const date = parseIsoTime(text(operator, operand))
  if (!date) throw new NarrowError(`operand of '${operator}' is not a date in ISO 8601`)
  return date
}

/** Digits are an id, even as text: no email consists of digits only. */
function person(operator: string, operand: unknown): PersonOperand {
  if (typeof operand === 'number') return integer(operator, operand)
  const name = text(operator, operand).trim()
  if (name === '') throw new NarrowError(`operand of '${operator}' is empty`)
  return /^\d+$/.test(name) ? integer(operator, name) : name
}

function people(operator: string, operand: unknown): PersonOperand[] {
  if (Array.isArray(operand)) return operand.map(item => person(operator, item))
  if (typeof operand === 'number') return [integer(operator, operand)]
  const parts = text(operator, operand).split(',')
  return parts.filter(part => part.trim() !== '').map(part => person(operator, part))
}

function oneOf<Word extends string>(operator: string, words: readonly Word[], operand: unknown): Word {
  const given = text(operator, operand)
  const word = words.find(candidate => candidate === given)
  if (word === undefined) throw new NarrowError(`unknown '${operator}' operand ${JSON.stringify(given)}`)
  return word
}

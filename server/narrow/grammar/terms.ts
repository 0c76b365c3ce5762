import { codePoints } from '../../../shared/limits.js'
import { budgets } from '../../config/budgets.js'

/** An invalid narrow; the answer contains `desc` and the error code. */
export class NarrowError extends Error {
  override readonly name = 'NarrowError'

  constructor(readonly desc: string) {
    super(`Invalid narrow operator: ${desc}`)
  }
}

export const tooManyTerms = () => new NarrowError(`more than ${budgets.narrowTerms.most} terms`)
export const tooManyCharacters = () => new NarrowError(`more than ${budgets.narrowCharacters.most} characters`)

/**
 * @param terms the narrow as the client sent it: pairs, or anything else that the parser refuses
 * @throws {NarrowError} if it has too many terms, or too many characters in them.
 */
export function requireNarrowSize(terms: readonly unknown[]): void {
  const { narrowTerms, narrowCharacters } = budgets
  if (terms.length > narrowTerms.most) throw tooManyTerms()
  if (terms.reduce((sum: number, term) => sum + charactersOf(term), 0) > narrowCharacters.most)
    throw tooManyCharacters()
}

/** Of the operand of a term. Each item of a list counts at least once, because the database gets it as well. */
function charactersOf(term: unknown): number {
  const { operand } = Array.isArray(term) ? { operand: term[1] } : ((term ?? {}) as { operand?: unknown })
  return [operand].flat().reduce((sum: number, item) => sum + (typeof item === 'string' ? lengthOf(item) : 1), 0)
}

/** Code points; of a text that is too long anyway, UTF-16 units. */
const lengthOf = (text: string): number =>
  text.length > 2 * budgets.narrowCharacters.most ? text.length : Math.max(codePoints(text), 1)

/** A user in a narrow: an id or an email in the API; 'me' is the caller. */
export type PersonOperand = number | string

export const channelsOperands = ['public', 'web-public', 'archived'] as const
export const isOperands = ['dm', 'starred', 'mentioned', 'alerted', 'unread', 'resolved', 'followed', 'muted'] as const
export const hasOperands = ['link', 'image', 'attachment', 'reaction'] as const
export const inOperands = ['home', 'all'] as const

interface Operands {
  /** A name or an id. Text is a name, even if it consists of digits; an unknown one may then be tried as an id. */
  channel: string | number
  channels: (typeof channelsOperands)[number]
  topic: string
  /** The other participants; may include the caller. */
  dm: readonly PersonOperand[]
  'dm-including': readonly PersonOperand[]
  /** Only conversations with three or more participants. */
  'group-pm-with': readonly PersonOperand[]
  sender: PersonOperand
  mentions: PersonOperand
  is: (typeof isOperands)[number]
  has: (typeof hasOperands)[number]
  in: (typeof inOperands)[number]
  /** Where a client opens the narrow; it selects nothing. */
  near: string | number
  id: number
  with: number
  /** Not at or after this moment. */
  before: Date
  /** At or after it. */
  after: Date
  search: string
}

export type NarrowOperator = keyof Operands

/** One condition of a narrow, with its canonical operator. Names and emails are not resolved yet. */
export type NarrowTerm = {
  [Operator in NarrowOperator]: { operator: Operator; operand: Operands[Operator]; negated: boolean }
}[NarrowOperator]

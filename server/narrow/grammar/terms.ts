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
  const characters = terms.reduce<number>((sum, term) => sum + charactersOf(Object.values(term ?? {}).flat()), 0)
  if (characters > narrowCharacters.most) throw tooManyCharacters()
}

/** Each item of a list counts at least once, because the database gets it as well. */
const charactersOf = (values: readonly unknown[]): number =>
  values.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0) + 1, 0)

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
  search: string
}

export type NarrowOperator = keyof Operands

/** One condition of a narrow, with its canonical operator. Names and emails are not resolved yet. */
export type NarrowTerm = {
  [Operator in NarrowOperator]: { operator: Operator; operand: Operands[Operator]; negated: boolean }
}[NarrowOperator]

import { isCalendarDate } from '../../../shared/dates.js'
import { nearestWord } from '../../../shared/near-word.js'
import { t } from '../language/language.js'
import { channelOf, openChannels } from './channels.js'
import type { ChatState } from './chat-state.js'
import type { Term } from './narrow.js'
import { activePeople, personOf } from './people.js'
import { olderOperators, type SearchOperator, searchOperators } from './search-operators.js'

/** A part of the text of a search: an operator with its operand, a quoted phrase, or a word. */
export interface Token {
  readonly from: number
  readonly to: number
  readonly text: string
  readonly isNegated: boolean
  /** As it was typed, in lower case; undefined for words and phrases. */
  readonly operator?: string
  readonly operand: string
}

/** What a search asks for. */
interface Query {
  readonly terms: readonly Term[]
  /** Around this message. */
  readonly near?: number
  /** From this moment on (ISO 8601). */
  readonly since?: string
  /** Operators that do not exist; they are searched for as words. */
  readonly unknown: readonly string[]
  /** Why the search cannot be made. */
  readonly problem?: string
}

const token = /(-?)([a-z][a-z-]*):("(?:[^"\\]|\\.)*"?|\S*)|-?"(?:[^"\\]|\\.)*"?|\S+/gi

export function tokensOf(text: string): Token[] {
  return [...text.matchAll(token)].map(({ 0: whole, 1: minus, 2: operator, 3: operand, index }) => {
    const at = { from: index, to: index + whole.length, text: whole }
    // An address of the web is a word.
    if (operator === undefined || operand?.startsWith('//')) return { ...at, isNegated: false, operand: whole }
    return { ...at, isNegated: minus === '-', operator: operator.toLowerCase(), operand: unquoted(operand ?? '') }
  })
}

const unquoted = (operand: string): string =>
  operand.startsWith('"')
    ? operand
        .slice(1)
        .replace(/(^|[^\\])"$/, '$1')
        .replace(/\\(["\\])/g, '$1')
    : operand

/** The operator under its present name; undefined: there is none. */
export const operatorOf = (name: string): { name: string; operator: SearchOperator } | undefined => {
  const present = Object.hasOwn(olderOperators, name) ? (olderOperators[name] as string) : name
  const operator = Object.hasOwn(searchOperators, present) ? searchOperators[present] : undefined
  return operator && { name: present, operator }
}

/** The search with operators in place of mistyped ones; undefined: it has none that is near to an operator. */
export function meantBy(text: string): string | undefined {
  const names = [...Object.keys(searchOperators), ...Object.keys(olderOperators)]
  let meant = ''
  let end = 0
  for (const { from, isNegated, operator } of tokensOf(text)) {
    if (operator === undefined || operatorOf(operator)) continue
    const near = nearestWord(operator, names)
    if (near === undefined) continue
    const start = from + (isNegated ? 1 : 0)
    meant += text.slice(end, start) + near
    end = start + operator.length
  }
  return end === 0 ? undefined : meant + text.slice(end)
}

/** Reads the text of a search; names of people and channels are those that the user knows. */
export function queryOf(state: ChatState, text: string): Query {
  const words: string[] = []
  const unknown: string[] = []
  const terms: Term[] = []
  let near: number | undefined
  let since: string | undefined
  let problem: string | undefined
  for (const one of tokensOf(text)) {
    const known = one.operator === undefined ? undefined : operatorOf(one.operator)
    if (!known) {
      words.push(one.text)
      if (one.operator !== undefined) unknown.push(one.operator)
      continue
    }
    const operand = operandOf(state, known.operator, one.operand)
    if (typeof operand === 'object' && 'problem' in operand) problem ??= t('search.problem', one.text, operand.problem)
    else if (known.name === 'date') since = startOfDay(operand as string)
    else if (known.name === 'near') near = operand as number
    else {
      const condition = known.operator.kind === 'date' ? startOfDay(operand as string) : operand
      terms.push({ operator: known.name, operand: condition, ...(one.isNegated && { negated: true }) })
    }
  }
  if (words.length > 0) terms.push({ operator: 'search', operand: words.join(' ') })
  return {
    terms,
    unknown,
    ...(near !== undefined && { near }),
    ...(since && { since }),
    ...(problem !== undefined && { problem }),
  }
}

/** Of the user. */
const startOfDay = (day: string): string => new Date(`${day}T00:00:00`).toISOString()

type Operand = string | number | number[] | { readonly problem: string }

function operandOf(state: ChatState, { kind, values }: SearchOperator, text: string): Operand {
  switch (kind) {
    case 'word':
      return values?.includes(text.toLowerCase())
        ? text.toLowerCase()
        : { problem: t('search.chooseOne', values?.join(', ') ?? '') }
    case 'topic':
      return text
    case 'id':
      return /^\d{1,15}$/.test(text) ? Number(text) : { problem: t('search.needsNumber') }
    case 'date':
      return isCalendarDate(text) ? text : { problem: t('search.needsDate') }
    case 'channel':
      return channelId(state, text) ?? { problem: t('search.noChannel') }
    case 'person':
      return personId(state, text)
    case 'people': {
      const ids = text.split(',').map(one => personId(state, one.trim()))
      const wrong = ids.find(one => typeof one === 'object')
      return wrong ?? (ids as number[])
    }
  }
}

function channelId(state: ChatState, text: string): number | undefined {
  const name = text.replace(/^#/, '').toLowerCase()
  const named = openChannels(state).find(channel => channel.name.toLowerCase() === name)
  return named?.stream_id ?? (/^\d+$/.test(text) ? channelOf(state, Number(text))?.stream_id : undefined)
}

/** A person by name, by `name|id`, by id, or `me`. */
function personId(state: ChatState, text: string): number | { readonly problem: string } {
  const name = text.replace(/^@/, '').toLowerCase()
  if (name === 'me') return state.user_id
  const id = /^(?:.*\|)?(\d{1,15})$/.exec(name)?.[1]
  if (id !== undefined && personOf(state, Number(id))) return Number(id)
  const all = [...activePeople(state), ...Object.values(state.realm_non_active_users)]
  const named = all.filter(person => person.full_name.toLowerCase() === name)
  if (named.length > 1) return { problem: t('search.severalPeople') }
  return named[0]?.user_id ?? { problem: t('search.noPerson') }
}

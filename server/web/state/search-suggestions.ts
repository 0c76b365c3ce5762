import { topicKey } from '../../../shared/resources/topic.js'
import { dayText } from '../language/format.js'
import { t } from '../language/language.js'
import { quoted } from './address.js'
import { openChannels } from './channels.js'
import type { ChatState } from './chat-state.js'
import { bestMatches } from './completion.js'
import { activePeople } from './people.js'
import { operatorOf, queryOf, type Token, tokensOf } from './query.js'
import { type SearchOperator, searchOperators } from './search-operators.js'
import { knownTopics } from './topics.js'

export interface Suggestion {
  /** What the user chooses, for example `has:link`. */
  readonly label: string
  readonly hint?: string
  /** The text of the search with it, and the place of the cursor in this text. */
  readonly text: string
  readonly cursor: number
}

const most = 8

/** What may follow or complete the text of a search at the cursor. `today` as in `Date`. */
export function suggestionsFor(state: ChatState, text: string, cursor: number, today: Date): Suggestion[] {
  const now = tokensOf(text).find(({ from, to }) => from < cursor && cursor <= to)
  const operator = now?.operator === undefined ? undefined : operatorOf(now.operator)
  const put = (part: string, hint?: string): Suggestion => {
    const [before, after] = [text.slice(0, now?.from ?? cursor), text.slice(now?.to ?? cursor)]
    const gap = before === '' || /\s$/.test(before) ? '' : ' '
    const end = part.endsWith(':') || /^\s/.test(after) ? '' : ' '
    const start = `${before}${gap}${now?.isNegated ? '-' : ''}${part}${end}`
    return { label: part, text: start + after, cursor: start.length, ...(hint !== undefined && { hint }) }
  }
  if (now && operator) {
    const values = valuesFor(state, operator.operator, { now, text, today })
    return values.map(({ value, hint }) => put(`${operator.name}:${quoted(value)}`, hint)).slice(0, most)
  }
  const typed = (now?.text ?? '').replace(/^-/, '').toLowerCase()
  return Object.entries(searchOperators)
    .filter(([name, { isRare }]) => (typed === '' ? !isRare : name.startsWith(typed)))
    .map(([name, { hint }]) => put(`${name}:`, t(hint)))
    .slice(0, most)
}

interface Value {
  readonly value: string
  readonly hint?: string | undefined
}

function valuesFor(
  state: ChatState,
  operator: SearchOperator,
  { now, text, today }: { readonly now: Token; readonly text: string; readonly today: Date },
): Value[] {
  const typed = now.operand.toLowerCase()
  switch (operator.kind) {
    case 'word':
      return (operator.values ?? []).filter(value => value.startsWith(typed)).map(value => ({ value }))
    case 'person':
      return [...('me'.startsWith(typed) ? [{ value: 'me', hint: t('search.hint.me') }] : []), ...people(state, typed)]
    case 'people': {
      const before = now.operand.slice(0, now.operand.lastIndexOf(',') + 1)
      return people(state, typed.slice(before.length).trimStart()).map(({ value, hint }) => ({
        value: before + value,
        hint,
      }))
    }
    case 'channel':
      return bestMatches(openChannels(state), channel => channel.name, typed, most).map(({ name }) => ({ value: name }))
    case 'topic':
      return topics(state, typed, text)
    case 'date':
      return days(today).filter(({ value }) => value.startsWith(typed))
    case 'id':
      return []
  }
}

/** People by name; by `name|id` or id if the name alone would mean something else. */
function people(state: ChatState, typed: string): Value[] {
  const all = activePeople(state)
  return bestMatches(all, person => person.full_name, typed, most).map(({ full_name, user_id, is_bot }) => {
    const isOnly = all.filter(one => one.full_name.toLowerCase() === full_name.toLowerCase()).length === 1
    const isPlain = isOnly && !/^(?:me|\d+)$|\|/i.test(full_name)
    // Commas separate the people of a conversation.
    const value = full_name.includes(',') ? String(user_id) : isPlain ? full_name : `${full_name}|${user_id}`
    return { value, hint: full_name.includes(',') ? full_name : is_bot ? t('words.bot') : undefined }
  })
}

/** Topics that the page knows, of the channel that the search names. */
function topics(state: ChatState, typed: string, text: string): Value[] {
  const others = text.replace(/topic:("(?:[^"\\]|\\.)*"?|\S*)/gi, '')
  const channel = queryOf(state, others).terms.find(({ operator }) => operator === 'channel')?.operand
  const known = knownTopics(state).filter(({ channelId }) => channel === undefined || channelId === channel)
  const byKey = new Map(known.filter(({ name }) => name !== '').map(({ name }) => [topicKey(name), name]))
  return bestMatches(byKey.values(), name => name, typed, most).map(value => ({ value }))
}

function days(today: Date): Value[] {
  const back = (count: number): string => {
    const day = new Date(today.getFullYear(), today.getMonth(), today.getDate() - count)
    return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map(part => String(part).padStart(2, '0')).join('-')
  }
  return [
    { value: back(0), hint: dayText(0) },
    { value: back(1), hint: dayText(-1) },
    { value: back(7), hint: t('search.hint.week') },
    { value: back(30), hint: t('search.hint.month') },
    { value: back(365), hint: t('search.hint.year') },
  ]
}

import { conversationKey, peopleOf } from '../../../shared/resources/place.js'
import { addressOf, isConversation, type Narrow } from './narrow.js'
import { olderOperators, searchOperators } from './search-operators.js'

/** Where an address leads. */
export interface Target {
  readonly narrow: Narrow
  /** The message to show. */
  readonly near?: number
  /** A message of the conversation, by which it is found after a move. */
  readonly with?: number
}

// Before what is open beside the view; names in an address have no such sign.
const besideMark = '&beside='

/** The fragment of the URL for a view, or for a message in it. */
export const targetAddress = ({ narrow, near }: Target): string =>
  near === undefined ? addressOf(narrow) : `${addressOf(narrow)}/near/${near}`

/** The fragment of the URL for a view and for what is open beside it. */
export const pageAddress = (target: Target | undefined, beside: Target | undefined): string =>
  `${target ? targetAddress(target) : ''}${beside ? `${besideMark}${targetAddress(beside)}` : ''}`

/** The conversation that an address opens beside its view. */
export function besideOf(address: string, me: number): Target | undefined {
  const target = targetOf(address.split(besideMark)[1] ?? '', me)
  return target && isConversation(target.narrow) ? target : undefined
}

/** Undefined for an address that leads nowhere. Reads the page's own addresses and those of links in messages. */
export function targetOf(address: string, me: number): Target | undefined {
  const [own = ''] = address.split(besideMark)
  const parts = own.replace(/^\/?#?\/?/, '').split('/')
  if (parts[0] === 'narrow') return linkedTarget(parts.slice(1), me)
  const near = parts.length > 2 && parts.at(-2) === 'near' ? idOf(parts.at(-1)) : undefined
  const narrow = ownNarrow(near === undefined ? parts : parts.slice(0, -2), me)
  return narrow && { narrow, ...(near !== undefined && { near }) }
}

/** The view of an address. */
export const narrowOf = (address: string, me: number): Narrow | undefined => targetOf(address, me)?.narrow

function ownNarrow([kind = '', first = '', ...rest]: readonly string[], me: number): Narrow | undefined {
  switch (kind) {
    case 'inbox':
    case 'recent':
    case 'all':
    case 'mentions':
    case 'starred':
    case 'scheduled':
      return { kind }
    case 'channel':
      return channelNarrow(idOf(first), rest[0] === undefined ? undefined : decoded(rest[0]), rest.length > 0)
    case 'direct':
      return directNarrow(first, me)
    case 'relevant':
    case 'search': {
      const words = decoded(first)
      if (!words) return undefined
      const within = rest.length > 0 ? ownNarrow(rest, me) : undefined
      return { kind: 'search', words, ...(within && { within }), ...(kind === 'relevant' && { byRelevance: true }) }
    }
    default:
      return undefined
  }
}

function channelNarrow(
  channelId: number | undefined,
  topic: string | undefined,
  hasTopic: boolean,
): Narrow | undefined {
  if (channelId === undefined || (hasTopic && topic === undefined)) return undefined
  return topic === undefined ? { kind: 'channel', channelId } : { kind: 'topic', channelId, topic }
}

const directNarrow = (ids: string, me: number): Narrow | undefined =>
  /^\d{1,15}(,\d{1,15})*$/.test(ids) ? { kind: 'direct', key: conversationKey(peopleOf(ids), me) } : undefined

// Operators of links that are none of the search box.
const linkedOnly: ReadonlySet<string> = new Set(['with', 'search'])
const views: Readonly<Record<string, Narrow>> = {
  'is:starred': { kind: 'starred' },
  'is:mentioned': { kind: 'mentions' },
}

/**
 * The form of links in messages (shared/resources/hash-links.ts): `narrow/channel/5-name/topic/lunch/near/17`,
 * `narrow/dm/2,3-group`; other conditions become a search.
 */
function linkedTarget(parts: readonly string[], me: number): Target | undefined {
  const terms = new Map<string, string>()
  for (let at = 0; at < parts.length; at += 2) {
    const operand = decoded((parts[at + 1] ?? '').replaceAll('.', '%'))
    const operator = parts[at] ?? ''
    const name = Object.hasOwn(olderOperators, operator) ? (olderOperators[operator] as string) : operator
    if (operand === undefined || !(linkedOnly.has(name) || Object.hasOwn(searchOperators, name))) return undefined
    terms.set(name, operand)
  }
  const [near, withId] = [idOf(terms.get('near')), idOf(terms.get('with'))]
  const { place, words } = conditionsOf(terms, me)
  if (!place && (terms.has('channel') || terms.has('dm'))) return undefined
  const narrow: Narrow | undefined = words
    ? (!place && views[words]) || { kind: 'search', words, ...(place && { within: place }) }
    : (place ?? (near === undefined ? undefined : { kind: 'all' }))
  if (!narrow) return undefined
  return { narrow, ...(near !== undefined && { near }), ...(withId !== undefined && { with: withId }) }
}

/** The place that the terms of a link name, and the rest of them as the text of a search. */
function conditionsOf(terms: ReadonlyMap<string, string>, me: number): { place: Narrow | undefined; words: string } {
  const [channel, topic, dm] = [terms.get('channel'), terms.get('topic'), terms.get('dm')]
  const place =
    channel === undefined
      ? directNarrow((dm ?? '').split('-')[0] ?? '', me)
      : channelNarrow(idOf(channel.split('-')[0]), topic, topic !== undefined)
  const others = [...terms].filter(([operator]) => !['channel', 'topic', 'dm', 'near', 'with'].includes(operator))
  const words = others.map(([operator, operand]) =>
    operator === 'search' ? operand : `${operator}:${quoted(operand.replace(/^(\d+)-.*$/, '$1'))}`,
  )
  return { place, words: words.join(' ') }
}

/** An operand of a search; with white space or quotation marks in quotation marks. */
export const quoted = (text: string): string =>
  /[\s"]/.test(text) || text === '' ? `"${text.replace(/["\\]/g, '\\$&')}"` : text

const idOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined

/** Undefined for invalid percent-encoding, since links come from any source. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

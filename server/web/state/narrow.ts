import { conversationKey, peopleOf } from '../../../shared/resources/place.js'

/** The messages that a view shows. */
export type Narrow =
  | { readonly kind: 'all' }
  | { readonly kind: 'mentions' }
  | { readonly kind: 'starred' }
  | { readonly kind: 'channel'; readonly channelId: number }
  | { readonly kind: 'topic'; readonly channelId: number; readonly topic: string }
  | { readonly kind: 'direct'; readonly key: string }
  | { readonly kind: 'search'; readonly words: string; readonly within?: Narrow }

type Term = { operator: string; operand: unknown; negated?: boolean }

/** The narrow as terms of the API. */
export function termsOf(narrow: Narrow): Term[] {
  switch (narrow.kind) {
    case 'all':
      return [{ operator: 'in', operand: 'home' }]
    case 'mentions':
      return [{ operator: 'is', operand: 'mentioned' }]
    case 'starred':
      return [{ operator: 'is', operand: 'starred' }]
    case 'channel':
      return [{ operator: 'channel', operand: narrow.channelId }]
    case 'topic':
      return [
        { operator: 'channel', operand: narrow.channelId },
        { operator: 'topic', operand: narrow.topic },
      ]
    case 'direct':
      return [{ operator: 'dm', operand: peopleOf(narrow.key) }]
    case 'search':
      return [...(narrow.within ? termsOf(narrow.within) : []), { operator: 'search', operand: narrow.words }]
  }
}

/** The fragment of the URL, so that the user can bookmark, share and revisit the view. */
export function addressOf(narrow: Narrow): string {
  switch (narrow.kind) {
    case 'channel':
      return `channel/${narrow.channelId}`
    case 'topic':
      return `channel/${narrow.channelId}/${encodeURIComponent(narrow.topic)}`
    case 'direct':
      return `direct/${narrow.key}`
    case 'search':
      return `search/${encodeURIComponent(narrow.words)}${narrow.within ? `/${addressOf(narrow.within)}` : ''}`
    default:
      return narrow.kind
  }
}

/** Undefined for an invalid address. */
export function narrowOf(address: string, me: number): Narrow | undefined {
  const [kind = '', first = '', ...rest] = address.replace(/^#?\/?/, '').split('/')
  switch (kind) {
    case 'all':
    case 'mentions':
    case 'starred':
      return { kind }
    case 'channel':
      return channelNarrow(first, rest[0])
    case 'narrow':
      return linkedNarrow([first, ...rest], me)
    case 'direct':
      return /^\d+(,\d+)*$/.test(first) ? { kind, key: conversationKey(peopleOf(first), me) } : undefined
    case 'search': {
      const words = decoded(first)
      if (!words) return undefined
      const within = rest.length > 0 ? narrowOf(rest.join('/'), me) : undefined
      return { kind, words, ...(within && { within }) }
    }
    default:
      return undefined
  }
}

function channelNarrow(id: string, topic: string | undefined): Narrow | undefined {
  if (!/^\d{1,15}$/.test(id)) return undefined
  const channelId = Number(id)
  if (topic === undefined) return { kind: 'channel', channelId }
  const name = decoded(topic)
  return name === undefined ? undefined : { kind: 'topic', channelId, topic: name }
}

/** The form of links in messages (server/text/hash-links.ts): `narrow/channel/5-name/topic/lunch`, `narrow/dm/2,3-group`. */
function linkedNarrow([kind, operand = '', next, topic]: readonly string[], me: number): Narrow | undefined {
  const [id = ''] = operand.split('-')
  if (kind === 'dm') return narrowOf(`direct/${id}`, me)
  if (kind !== 'channel') return undefined
  return channelNarrow(id, next === 'topic' ? (topic ?? '').replaceAll('.', '%') : undefined)
}

/** Undefined for invalid percent-encoding, since links come from any source. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

export const sameNarrow = (a: Narrow, b: Narrow): boolean => addressOf(a) === addressOf(b)

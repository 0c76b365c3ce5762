import type { Place } from '../../../shared/resources/place.js'

/** A view, by the messages that it shows. */
export type Narrow =
  /** Unread messages by conversation. */
  | { readonly kind: 'inbox' }
  /** Conversations by their newest message. */
  | { readonly kind: 'recent' }
  | { readonly kind: 'all' }
  | { readonly kind: 'mentions' }
  | { readonly kind: 'starred' }
  /** Messages and reminders of a later time. */
  | { readonly kind: 'scheduled' }
  | { readonly kind: 'channel'; readonly channelId: number }
  | { readonly kind: 'topic'; readonly channelId: number; readonly topic: string }
  | { readonly kind: 'direct'; readonly key: string }
  | SearchNarrow

/** `byRelevance`: the most relevant messages first, instead of all in the order of time. */
export interface SearchNarrow {
  readonly kind: 'search'
  readonly words: string
  readonly within?: Narrow
  readonly byRelevance?: true
}

/** A condition of the API (docs/protocol/narrows.md#form). */
export interface Term {
  readonly operator: string
  readonly operand: unknown
  readonly negated?: true
}

/** The view of a topic or conversation. */
export const narrowOfPlace = (place: Place): Narrow =>
  'direct' in place ? { kind: 'direct', key: place.direct } : { kind: 'topic', ...place }

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
      return `${searchWord(narrow)}/${encodeURIComponent(narrow.words)}${narrow.within ? `/${addressOf(narrow.within)}` : ''}`
    default:
      return narrow.kind
  }
}

const searchWord = ({ byRelevance }: SearchNarrow): string => (byRelevance ? 'relevant' : 'search')

/** The channel of a view of it, or of one of its topics. */
export const channelIdOf = (narrow: Narrow | undefined): number | undefined =>
  narrow && 'channelId' in narrow ? narrow.channelId : undefined

/** Whether it can be open beside another view. */
export const isConversation = ({ kind }: Narrow): boolean => kind === 'channel' || kind === 'topic' || kind === 'direct'

export const sameNarrow = (a: Narrow, b: Narrow): boolean => addressOf(a) === addressOf(b)

import type { TextKey } from '../language/language.js'
export type OperandKind = 'person' | 'people' | 'channel' | 'topic' | 'word' | 'id' | 'date'

export interface SearchOperator {
  readonly kind: OperandKind
  /** What it finds, for the suggestions. */
  readonly hint: TextKey
  /** Only of the kind `word`: the possible operands. */
  readonly values?: readonly string[]
  /** Suggested only after its first letters. */
  readonly isRare?: true
}

const people = { kind: 'people' } as const

/** The operators of the search box, in the order of the suggestions. Except `date`, they are those of a narrow. */
export const searchOperators: Readonly<Record<string, SearchOperator>> = {
  sender: { kind: 'person', hint: 'search.hint.sender' },
  channel: { kind: 'channel', hint: 'search.hint.channel' },
  topic: { kind: 'topic', hint: 'search.hint.topic' },
  has: {
    kind: 'word',
    hint: 'search.hint.has',
    values: ['link', 'image', 'attachment', 'reaction'],
  },
  is: {
    kind: 'word',
    hint: 'search.hint.is',
    values: ['unread', 'starred', 'mentioned', 'alerted', 'dm', 'resolved', 'followed', 'muted'],
  },
  after: { kind: 'date', hint: 'search.hint.after' },
  before: { kind: 'date', hint: 'search.hint.before' },
  date: { kind: 'date', hint: 'search.hint.date' },
  dm: { ...people, hint: 'search.hint.dm' },
  'dm-including': { ...people, hint: 'search.hint.dmIncluding', isRare: true },
  mentions: { kind: 'person', hint: 'search.hint.mentions', isRare: true },
  in: { kind: 'word', hint: 'search.hint.in', values: ['home', 'all'], isRare: true },
  channels: {
    kind: 'word',
    hint: 'search.hint.channels',
    values: ['public', 'archived'],
    isRare: true,
  },
  near: { kind: 'id', hint: 'search.hint.near', isRare: true },
  id: { kind: 'id', hint: 'search.hint.id', isRare: true },
}

/** Names of operators in older clients. */
export const olderOperators: Readonly<Record<string, string>> = {
  from: 'sender',
  stream: 'channel',
  subject: 'topic',
  'pm-with': 'dm',
  streams: 'channels',
}

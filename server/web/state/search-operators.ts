export type OperandKind = 'person' | 'people' | 'channel' | 'topic' | 'word' | 'id' | 'date'

export interface SearchOperator {
  readonly kind: OperandKind
  /** What it finds, for the suggestions. */
  readonly hint: string
  /** Only of the kind `word`: the possible operands. */
  readonly values?: readonly string[]
  /** Suggested only after its first letters. */
  readonly isRare?: true
}

const people = { kind: 'people' } as const

/** The operators of the search box, in the order of the suggestions. Except `date`, they are those of a narrow. */
export const searchOperators: Readonly<Record<string, SearchOperator>> = {
  sender: { kind: 'person', hint: 'messages from someone; “me” for your own' },
  channel: { kind: 'channel', hint: 'in one channel' },
  topic: { kind: 'topic', hint: 'in one topic' },
  has: {
    kind: 'word',
    hint: 'with a link, picture, file or reaction',
    values: ['link', 'image', 'attachment', 'reaction'],
  },
  is: {
    kind: 'word',
    hint: 'unread, starred, mentions …',
    values: ['unread', 'starred', 'mentioned', 'alerted', 'dm', 'resolved', 'followed', 'muted'],
  },
  date: { kind: 'date', hint: 'from a day on' },
  dm: { ...people, hint: 'one direct conversation' },
  'dm-including': { ...people, hint: 'all direct conversations with someone', isRare: true },
  mentions: { kind: 'person', hint: 'that mention someone', isRare: true },
  in: { kind: 'word', hint: 'without or with what is muted', values: ['home', 'all'], isRare: true },
  channels: {
    kind: 'word',
    hint: 'in many channels, also those you have not joined',
    values: ['public', 'archived'],
    isRare: true,
  },
  near: { kind: 'id', hint: 'around the message with this number', isRare: true },
  id: { kind: 'id', hint: 'the message with this number', isRare: true },
}

/** Names of operators in older clients. */
export const olderOperators: Readonly<Record<string, string>> = {
  from: 'sender',
  stream: 'channel',
  subject: 'topic',
  'pm-with': 'dm',
  streams: 'channels',
}

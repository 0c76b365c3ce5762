import type { MessageFlag } from '../../../shared/resources/message.js'

/** Bits of message_flags.flags. */
export const flagBit = {
  starred: 1,
  collapsed: 2,
  mentioned: 4,
  topic_wildcard_mentioned: 8,
  has_alert_word: 16,
  /** The user has flags on a message that it has not received, or that was sent before the user joined. */
  historical: 32,
  /** Unread, although the message counts as read for its sender (read_by_sender) or for all users (read_by_all). */
  ownUnread: 64,
} as const

/** Bits of messages.wildcard_mentions. */
export const wildcardBit = { channel: 1, topic: 2 } as const

const inOrder = ['starred', 'collapsed', 'mentioned', 'topic_wildcard_mentioned', 'has_alert_word'] as const

export interface FlagFacts {
  /** The user's row in message_flags; 0: none. */
  readonly bits: number
  readonly isRead: boolean
  /** False: the user may see the message but did not receive it when it was sent. */
  readonly isReceived: boolean
  readonly mentionsChannel: boolean
}

/** The flags on the wire. A message that the user never received counts as read (docs/protocol/events.md#flags). */
export function flagNames({ bits, isRead, isReceived, mentionsChannel }: FlagFacts): MessageFlag[] {
  const flags: MessageFlag[] = []
  if (isRead || !isReceived) flags.push('read')
  for (const name of inOrder) if (bits & flagBit[name]) flags.push(name)
  const wildcard = mentionsChannel && isReceived
  if (wildcard) flags.push('stream_wildcard_mentioned')
  if (wildcard || bits & flagBit.topic_wildcard_mentioned) flags.push('wildcard_mentioned')
  // A new user gets messages of the time before it joined.
  if (!isReceived || bits & flagBit.historical) flags.push('historical')
  return flags
}

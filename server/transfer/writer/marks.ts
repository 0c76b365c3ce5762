import type { ImportedFlag, ImportedMessage } from '../../store/imports/imported-messages.js'
import { wildcardBit } from '../../store/messages/message-flags.js'
import type { Marks } from '../source.js'
import type { Here } from './here.js'

interface Marking {
  readonly here: Pick<Here, 'people'>
  readonly senderId: number
  /** Users that the text mentions. */
  readonly mentioned: readonly number[]
  /** Of a long text: the further ones say only who has not read them. Null: a copy or a pointer, which counts as read. */
  readonly part: number | null
}

/** What a message is to the accounts here. */
export function marksOf(
  marks: Marks,
  { here: { people }, senderId, mentioned, part }: Marking,
): Pick<ImportedMessage, 'flags' | 'unread' | 'wildcard_mentions'> {
  const idsOf = (keys: readonly string[]): number[] => [...new Set(keys.flatMap(key => people.get(key) ?? []))]
  const unread = part === null ? [] : idsOf(marks.unread)
  const flags = new Map<ImportedFlag, readonly number[]>()
  if (part === 0) {
    flags.set('starred', idsOf(marks.starred))
    flags.set('collapsed', idsOf(marks.collapsed))
    flags.set('mentioned', marks.mentioned === null ? mentioned : idsOf(marks.mentioned))
    flags.set('topic_wildcard_mentioned', idsOf(marks.topicMentioned))
    flags.set('has_alert_word', idsOf(marks.alerted))
  }
  // A message counts as read for its sender.
  if (unread.includes(senderId)) flags.set('ownUnread', [senderId])
  const wildcards =
    (marks.mentionsChannel ? wildcardBit.channel : 0) | (marks.topicMentioned.length > 0 ? wildcardBit.topic : 0)
  return { flags, unread, wildcard_mentions: part === 0 ? wildcards : 0 }
}

import type { MessageFlag } from '../../../shared/resources/message.js'
import type { Emission } from '../../realtime/emission.js'
import { holdsId } from '../../store/driver/id-ranges.js'
import { type EditableMessage, flagsOfContent, type ReaderFlags } from '../../store/messages/editable-message.js'
import { type FlagFacts, flagNames, wildcardBit } from '../../store/messages/message-flags.js'
import type { NewContent } from '../../store/messages/store-edit.js'

type Groups = NonNullable<Emission['perUser']>

/** Users by their flags on a message. */
export class FlagGroups {
  private readonly groups = new Map<string, { users: number[]; fields: { flags: MessageFlag[] } }>()

  add(userIds: readonly number[], facts: FlagFacts): void {
    const flags = flagNames(facts)
    if (flags.length === 0 || userIds.length === 0) return
    const group = this.groups.get(flags.join())
    if (group) group.users.push(...userIds)
    else this.groups.set(flags.join(), { users: [...userIds], fields: { flags } })
  }

  /** Without the users who have no flag. */
  list(): Groups {
    for (const group of this.groups.values()) group.users.sort((a, b) => a - b)
    return [...this.groups.values()]
  }
}

/**
 * The flags of the audience of an edited message after the edit.
 * @param message with the flags before
 * @param content null: only its place changes
 */
export function flagsAfterEdit(
  audience: readonly number[],
  message: Pick<EditableMessage, 'reader_flags' | 'wildcard_mentions'>,
  content: Pick<NewContent, 'bits' | 'wildcard_mentions'> | null,
): Groups {
  const mentionsChannel = ((content ?? message).wildcard_mentions & wildcardBit.channel) !== 0
  const named = content?.bits ?? new Map<number, number>()
  const groups = new FlagGroups()
  const others = new Set(audience)
  const add = (userIds: readonly number[], { bits, is_read, is_received }: Omit<ReaderFlags, 'user_ids'>) => {
    for (const id of userIds) others.delete(id)
    const kept = content ? bits & ~flagsOfContent : bits
    const facts = { isRead: is_read, isReceived: is_received, mentionsChannel }
    const unnamed = userIds.filter(id => !named.has(id))
    groups.add(unnamed, { ...facts, bits: kept })
    for (const id of userIds) if (named.has(id)) groups.add([id], { ...facts, bits: kept | (named.get(id) ?? 0) })
  }
  for (const { user_ids, ...facts } of message.reader_flags ?? []) {
    add(
      user_ids.filter(id => holdsId(audience, id)),
      facts,
    )
  }
  add([...others], { bits: 0, is_read: false, is_received: true })
  return groups.list()
}

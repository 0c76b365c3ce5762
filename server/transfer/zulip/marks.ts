import type { Loose } from '../loose.js'
import type { Marks } from '../source.js'
import { idOf } from './realm.js'

// Bits of `flags_mask`.
const bit = {
  read: 1,
  starred: 2,
  collapsed: 4,
  mentioned: 8,
  channelMentioned: 16,
  topicMentioned: 32,
  groupMentioned: 64,
  alerted: 512,
} as const
const beyondRead =
  bit.starred |
  bit.collapsed |
  bit.mentioned |
  bit.channelMentioned |
  bit.topicMentioned |
  bit.groupMentioned |
  bit.alerted

/** What the messages of one file are to those who received them. */
export class FileMarks {
  /** By message, persons and their flags in turns. Persons who have read it, and nothing more, are needed for some channels alone. */
  private readonly rows = new Map<number, number[]>()
  private readonly hidden = new Set<number>()
  private knowsMessages = false

  /** `isHidden`: of a channel whose subscribers see nothing that they have not received. */
  addMessage(id: number, isHidden: boolean): void {
    this.knowsMessages = true
    if (isHidden) this.hidden.add(id)
  }

  add(row: Loose): void {
    const [message, person] = [idOf(row.message), idOf(row.user_profile)]
    const flags = typeof row.flags_mask === 'number' ? row.flags_mask : bit.read
    if (message === undefined || person === undefined) return
    const isPlain = (flags & bit.read) !== 0 && (flags & beyondRead) === 0
    if (isPlain && this.knowsMessages && !this.hidden.has(message)) return
    const rows = this.rows.get(message)
    if (rows) rows.push(person, flags)
    else this.rows.set(message, [person, flags])
  }

  of(message: number, keyOf: (person: number) => string): Marks {
    const rows = this.rows.get(message) ?? []
    const those = (is: (flags: number) => boolean): string[] => {
      const keys: string[] = []
      for (let i = 0; i < rows.length; i += 2) {
        if (is(rows[i + 1] as number)) keys.push(keyOf(rows[i] as number))
      }
      return keys
    }
    const having = (bits: number) => those(flags => (flags & bits) !== 0)
    return {
      unread: those(flags => (flags & bit.read) === 0),
      starred: having(bit.starred),
      collapsed: having(bit.collapsed),
      alerted: having(bit.alerted),
      mentioned: having(bit.mentioned | bit.groupMentioned),
      topicMentioned: having(bit.topicMentioned),
      mentionsChannel: having(bit.channelMentioned).length > 0,
      received: this.hidden.has(message) ? those(() => true) : null,
    }
  }
}

import type { ISql } from '../../store/driver/db.js'
import { type IdRange, rangesOf } from '../../store/driver/id-ranges.js'
import { type ExportedMessage, flagsOf, readerGroups, receiverGroups } from '../../store/exports/exported-messages.js'
import { flagBit, wildcardBit } from '../../store/messages/message-flags.js'

// Bits of `flags_mask` in an archive.
const archiveBit = { read: 1, channelMentioned: 16, historical: 1024, isDirect: 2048 } as const
const archiveBits = [
  [flagBit.starred, 2],
  [flagBit.collapsed, 4],
  [flagBit.mentioned, 8],
  [flagBit.topic_wildcard_mentioned, 32],
  [flagBit.has_alert_word, 512],
  [flagBit.historical, archiveBit.historical],
] as const

interface Receivers {
  readonly ids: readonly IdRange[]
  readonly isActive: boolean
  readonly userIds: readonly number[]
}

interface Facts {
  readonly byChannel: ReadonlyMap<number, readonly Receivers[]>
  readonly reads: ReadonlyMap<number, readonly IdRange[]>
  readonly flags: ReadonlyMap<number, ReadonlyMap<number, number>>
  readonly accounts: ReadonlySet<number> | null
}

/** What became of each message at each of its receivers (`zerver_usermessage`), for the messages of a batch. */
export class ReceivedRows {
  private constructor(private readonly facts: Facts) {}

  /** @param accounts the accounts whose rows are wanted; null: all */
  static async of(
    sql: ISql,
    messages: readonly ExportedMessage[],
    accounts: readonly number[] | null,
  ): Promise<ReceivedRows> {
    const [first, last] = [messages[0], messages.at(-1)]
    if (!first || !last || accounts?.length === 0) return new ReceivedRows(noFacts())
    const window = { from: first.id, last: last.id, accounts }
    const channelIds = [...new Set(messages.flatMap(message => message.channel_id ?? []))]
    const ids = messages.map(message => message.id)
    const [groups, flags] = await Promise.all([receiverGroups(sql, channelIds, window), flagsOf(sql, ids, accounts)])
    const people = new Set(groups.flatMap(group => group.user_ids))
    for (const { user_ids } of messages) for (const id of user_ids ?? []) people.add(id)
    const readers = await readerGroups(sql, [...people], window)
    return new ReceivedRows({
      byChannel: receiversByChannel(groups),
      reads: new Map(readers.flatMap(({ ids: text, user_ids }) => ofEach(user_ids, rangesOf(text)))),
      flags: flagsByMessage(flags),
      accounts: accounts && new Set(accounts),
    })
  }

  /** The rows of a message as JSON objects. */
  *of(message: ExportedMessage): Iterable<string> {
    const { facts } = this
    const flags = facts.flags.get(message.id)
    const received = new Set<number>()
    for (const { ids, isActive, userIds } of this.receiversOf(message)) {
      if (!holds(ids, message.id)) continue
      for (const userId of userIds) {
        received.add(userId)
        yield rowOf(userId, message.id, this.maskOf(message, userId, { bits: flags?.get(userId) ?? 0, isActive }))
      }
    }
    // Who has flags on a message that it did not receive.
    for (const [userId, bits] of flags ?? []) {
      if (received.has(userId)) continue
      yield rowOf(userId, message.id, archiveBit.read | archiveBit.historical | maskOfBits(bits))
    }
  }

  private receiversOf({ id, channel_id, user_ids }: ExportedMessage): readonly Receivers[] {
    if (channel_id !== null) return this.facts.byChannel.get(channel_id) ?? []
    const { accounts } = this.facts
    const userIds = (user_ids ?? []).filter(userId => accounts?.has(userId) ?? true)
    return [{ ids: [{ from: id, to: id + 1 }], isActive: true, userIds }]
  }

  private maskOf(
    message: ExportedMessage,
    userId: number,
    { bits, isActive }: { readonly bits: number; readonly isActive: boolean },
  ): number {
    const startsRead = message.read_by_all || (message.sender_id === userId && message.read_by_sender)
    const isRead =
      !isActive ||
      holds(this.facts.reads.get(userId) ?? [], message.id) ||
      (startsRead && (bits & flagBit.ownUnread) === 0)
    return (
      (isRead ? archiveBit.read : 0) |
      (message.wildcard_mentions & wildcardBit.channel ? archiveBit.channelMentioned : 0) |
      (message.channel_id === null ? archiveBit.isDirect : 0) |
      maskOfBits(bits)
    )
  }
}

const noFacts = (): Facts => ({ byChannel: new Map(), reads: new Map(), flags: new Map(), accounts: new Set() })

const rowOf = (userId: number, messageId: number, mask: number): string =>
  `{"user_profile":${userId},"message":${messageId},"flags_mask":${mask}}`

const maskOfBits = (bits: number): number =>
  archiveBits.reduce((mask, [ours, theirs]) => (bits & ours ? mask | theirs : mask), 0)

const holds = (ranges: readonly IdRange[], id: number): boolean => ranges.some(({ from, to }) => from <= id && id < to)

const ofEach = <Value>(ids: readonly number[], value: Value): [number, Value][] => ids.map(id => [id, value])

function receiversByChannel(groups: Awaited<ReturnType<typeof receiverGroups>>): Map<number, Receivers[]> {
  const byChannel = new Map<number, Receivers[]>()
  for (const { channel_id, ids, is_active, user_ids } of groups) {
    const known = byChannel.get(channel_id)
    const receivers = { ids: rangesOf(ids), isActive: is_active, userIds: user_ids }
    if (known) known.push(receivers)
    else byChannel.set(channel_id, [receivers])
  }
  return byChannel
}

function flagsByMessage(rows: Awaited<ReturnType<typeof flagsOf>>): Map<number, Map<number, number>> {
  const byMessage = new Map<number, Map<number, number>>()
  for (const { message_id, user_id, flags } of rows) {
    const known = byMessage.get(message_id)
    if (known) known.set(user_id, flags)
    else byMessage.set(message_id, new Map([[user_id, flags]]))
  }
  return byMessage
}

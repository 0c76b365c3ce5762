import { type MessagePayload, messageEvent } from '../../../shared/events/message.js'
import type { MessageFlag } from '../../../shared/resources/message.js'
import type { Ctx } from '../../ctx.js'
import { publicReaders } from '../../policies/channel-audience.js'
import { limitedGuests } from '../../policies/users.js'
import { neutralMessage, senderFields } from '../../presenters/message-object.js'
import type { Emission } from '../../realtime/emission.js'
import { encodeAudience, encodeEmission } from '../../realtime/encoding/index.js'
import type { ISql } from '../../store/driver/db.js'
import { holdsId } from '../../store/driver/id-ranges.js'
import { flagBit, flagNames, wildcardBit } from '../../store/messages/message-flags.js'
import type { MessageRow } from '../../store/messages/messages.js'
import { guestsWhoKnow, type UserRow } from '../../store/users/users.js'
import type { Destination } from './destination.js'

interface Announcement {
  readonly row: Omit<MessageRow, 'id'>
  readonly sender: UserRow
  readonly destination: Destination
  /** Bits of message_flags by user id. */
  readonly bits: ReadonlyMap<number, number>
  /** Receivers that muted the sender: the message is read from the start. */
  readonly readerIds: readonly number[]
  /** Content of its first submessage. */
  readonly widget: string | undefined
  readonly local?: { readonly queueId: string; readonly localId: string }
}

/** The encoded events of a new message: one, and a second one for guests who may not know the sender. */
export async function messageEntries(ctx: Ctx, sql: ISql, announcement: Announcement): Promise<Uint8Array[]> {
  const { row, sender, destination, widget, local } = announcement
  const message = neutralMessage(
    ctx,
    {
      id: 0,
      sender_id: row.sender_id,
      channel_id: row.channel_id,
      conversation_id: row.conversation_id,
      topic: row.topic,
      content: row.content,
      rendered_content: row.rendered_content,
      date_sent: row.date_sent,
      client: row.client,
      read_by_all: row.read_by_all,
      is_me_message: row.is_me_message,
    },
    {
      place: destination.channel ? { channel: destination.channel } : { userIds: destination.userIds },
      topicLinks: ctx.directory.linkifiers.topicLinks(row.topic),
      reactions: [],
      // The ids are those of the message, which it gets when it is stored.
      submessages:
        widget === undefined
          ? []
          : [{ id: 0, message_id: 0, sender_id: sender.id, msg_type: 'widget', content: widget }],
      knows: () => true,
    },
  )
  const payload: MessagePayload = { message, flags: flagsOf(row, 0, row.read_by_all) }
  const audience = withSender(destination.audience, sender.id)
  const strangers = await strangersAmong(ctx, sql, sender, destination)
  const perUser = flagGroups(announcement)
  // Caches the encoded audience only if the list is the channel's own, which later messages use too.
  const isKept = destination.channel !== null && strangers.length === 0 && audience === destination.audience
  const main: Emission<MessagePayload> = {
    def: messageEvent,
    payload,
    audience: strangers.length > 0 ? audience.filter(id => !holdsId(strangers, id)) : audience,
    audienceBytes: isKept ? ctx.directory.ofRows.of(audience, encodeAudience) : undefined,
    perUser,
    publicReaders: destination.channel ? publicReaders(ctx.directory, destination.channel) : [],
    local: local && { queueId: local.queueId, userId: sender.id, fields: { local_message_id: local.localId } },
  }
  // The casts: the encoder takes an event of any definition, which the types cannot say of one definition.
  if (strangers.length === 0) return [encodeEmission(main as unknown as Emission)]
  const anonymous = { ...payload, message: { ...message, ...senderFields(ctx, sender.id, false) } }
  const other = { def: messageEvent, payload: anonymous, audience: strangers, perUser }
  return [main, other].map(emission => encodeEmission(emission as unknown as Emission))
}

/** Adds the sender: its queues receive what it writes also if it is not subscribed. */
export function withSender(audience: readonly number[], senderId: number): readonly number[] {
  if (holdsId(audience, senderId)) return audience
  const after = audience.findIndex(id => id > senderId)
  return audience.toSpliced(after < 0 ? audience.length : after, 0, senderId)
}

/** Guests who see the message but may not know its sender. A guest that shares the channel with the sender knows it. */
async function strangersAmong(
  ctx: Ctx,
  sql: ISql,
  sender: UserRow,
  { channel, audience }: Destination,
): Promise<number[]> {
  if (!channel || sender.is_bot || holdsId(audience, sender.id)) return []
  const limited = limitedGuests(ctx.directory).filter(id => holdsId(audience, id))
  if (limited.length === 0) return []
  const knowing = new Set(await guestsWhoKnow(sql, sender.id, limited))
  return limited.filter(id => !knowing.has(id))
}

function flagsOf(row: Omit<MessageRow, 'id'>, bits: number, isRead: boolean, isReceived = true): MessageFlag[] {
  const mentionsChannel = (row.wildcard_mentions & wildcardBit.channel) !== 0
  return flagNames({ bits, isRead, isReceived, mentionsChannel })
}

// I3: only users whose flags differ are named; all others share the event's own flags.
/** Groups of users whose flags differ from the event's own, by flags. */
function flagGroups({
  row,
  sender,
  destination,
  bits: given,
  readerIds,
}: Announcement): NonNullable<Emission['perUser']> {
  const bits = new Map(given)
  const isReceiver = holdsId(destination.audience, sender.id)
  if (!bits.has(sender.id)) bits.set(sender.id, 0)
  for (const id of readerIds) if (!bits.has(id)) bits.set(id, 0)
  const groups = new Map<string, { users: number[]; fields: { flags: MessageFlag[] } }>()
  for (const [userId, set] of bits) {
    const isOwn = userId === sender.id
    const isReadByAll = (set & flagBit.ownUnread) === 0 && (row.read_by_all || (isOwn && row.read_by_sender))
    const isRead = isReadByAll || holdsId(readerIds, userId)
    const flags = flagsOf(row, set, isRead, !isOwn || isReceiver)
    const group = groups.get(flags.join())
    if (group) group.users.push(userId)
    else groups.set(flags.join(), { users: [userId], fields: { flags } })
  }
  // These users have the event's own flags.
  groups.delete(flagsOf(row, 0, row.read_by_all).join())
  for (const group of groups.values()) group.users.sort((a, b) => a - b)
  return [...groups.values()]
}

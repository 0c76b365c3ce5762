import { badRequest } from '../../../shared/errors.js'
import { flagsAdd, flagsRemove, type MessageDetails } from '../../../shared/events/update-message-flags.js'
import type { SettableFlag } from '../../../shared/resources/message.js'
import { topicKey } from '../../../shared/resources/topic.js'
import { type VisibilityPolicy, visibilityPolicy } from '../../../shared/resources/user-topic.js'
import type { Ctx } from '../../ctx.js'
import { mayReadMessage, type Reader } from '../../policies/reading.js'
import { realmSetting } from '../../policies/settings.js'
import type { Emit } from '../../realtime/emission.js'
import type { Tx } from '../../store/driver/db.js'
import { flagBit, wildcardBit } from '../../store/messages/message-flags.js'
import { type PlacedMessage, placedMessages } from '../../store/messages/message-rows.js'
import { addFlag, removeFlag } from '../../store/reading/flags.js'
import { holdFlags, markRead, markUnread } from '../../store/reading/read-state.js'
import { topicsOfUser } from '../../store/topics/user-topics.js'

interface FlagChange {
  readonly op: 'add' | 'remove'
  readonly flag: SettableFlag
}

interface FlagsChanged {
  /** Message ids, ascending. */
  readonly changed: readonly number[]
  /** Channels that the user has left: messages in them cannot be marked as unread. */
  readonly ignoredChannels: readonly number[]
}

/** Changes a flag of the user on messages and emits the ids of those that changed to the user. @throws {ApiError} */
export function changeFlags(
  ctx: Ctx,
  reader: Reader,
  { op, flag }: FlagChange,
  ids: readonly number[],
): Promise<FlagsChanged> {
  return ctx.write(async (tx, emit) => {
    await holdFlags(tx, reader.userId)
    const rows = await placedMessages(tx, reader.userId, ids)
    if (flag === 'read')
      return op === 'add' ? setRead(reader, tx, emit, rows) : setUnread(ctx, tx, emit, { reader, rows })
    const changed = await (op === 'add'
      ? setFlag(ctx, tx, { reader, flag, ids, rows })
      : removeFlag(tx, reader.userId, flagBit[flag], ids))
    if (changed.length > 0) {
      if (op === 'add') emit(flagsAdd, { flag, messages: changed, all: false }, [reader.userId])
      else emit(flagsRemove, { flag, messages: changed }, [reader.userId])
    }
    return { changed, ignoredChannels: [] }
  })
}

async function setRead(reader: Reader, tx: Tx, emit: Emit, rows: readonly PlacedMessage[]): Promise<FlagsChanged> {
  const changed = rows.filter(row => row.is_received && !row.is_read).map(row => row.id)
  if (changed.length > 0) {
    await markRead(tx, reader.userId, changed, reader.receivable)
    emit(flagsAdd, { flag: 'read', messages: changed, all: false }, [reader.userId])
  }
  return { changed, ignoredChannels: [] }
}

async function setUnread(
  ctx: Ctx,
  tx: Tx,
  emit: Emit,
  { reader, rows }: { readonly reader: Reader; readonly rows: readonly PlacedMessage[] },
): Promise<FlagsChanged> {
  // Message ids are easy to guess: the answer must not reveal the channel of a message that the reader may not see.
  const known = rows.filter(row => row.is_received || mayReadMessage(ctx.directory, reader.user, row))
  const left = known.flatMap(row => (row.channel_id !== null && !row.is_subscribed ? [row.channel_id] : []))
  const ignoredChannels = [...new Set(left)].sort((a, b) => a - b)
  const changed = rows.filter(row => row.is_received && row.is_read && !left.includes(row.channel_id ?? 0))
  if (changed.length === 0) return { changed: [], ignoredChannels }
  const ids = changed.map(row => row.id)
  await markUnread(tx, reader.userId, ids)
  const own = changed
    .filter(row => row.read_by_all || (row.sender_id === reader.userId && row.read_by_sender))
    .map(row => row.id)
  if (own.length > 0) await addFlag(tx, reader.userId, { bit: flagBit.ownUnread, ids: own, historical: [] })
  const isMuted = await mutedPlaces(tx, reader, changed)
  const message_details = Object.fromEntries(
    changed.map(row => [String(row.id), detailsOf(row, reader.userId, isMuted)]),
  )
  const empty_topic_display_name = realmSetting(ctx.directory, 'empty_topic_display_name')
  emit(flagsRemove, { flag: 'read', messages: ids, message_details, empty_topic_display_name }, [reader.userId])
  return { changed: ids, ignoredChannels }
}

type IsMuted = (channelId: number, topic: string) => boolean

/** Whether the reader muted a topic of these messages: its own policy decides, without one that of the channel. */
async function mutedPlaces(tx: Tx, reader: Reader, rows: readonly PlacedMessage[]): Promise<IsMuted> {
  const isInChannel = rows.some(row => row.channel_id !== null)
  const policies = new Map<string, VisibilityPolicy>()
  const keyOf = (channelId: number, topic: string) => `${channelId} ${topicKey(topic)}`
  for (const row of isInChannel ? await topicsOfUser(tx, reader.userId) : [])
    policies.set(keyOf(row.channel_id, row.topic), row.visibility_policy)
  return (channelId, topic) => {
    const policy = policies.get(keyOf(channelId, topic))
    return policy === undefined ? reader.muted.has(channelId) : policy === visibilityPolicy.muted
  }
}

function detailsOf(row: PlacedMessage, userId: number, isMuted: IsMuted): MessageDetails {
  const isMentioned =
    (row.bits & (flagBit.mentioned | flagBit.topic_wildcard_mentioned)) !== 0 ||
    (row.wildcard_mentions & wildcardBit.channel) !== 0
  const mentioned = isMentioned && { mentioned: true as const }
  const { channel_id: stream_id, topic } = row
  return stream_id === null
    ? { type: 'private', ...mentioned, user_ids: (row.user_ids ?? []).filter(id => id !== userId) }
    : { type: 'stream', ...mentioned, stream_id, topic, unmuted_stream_msg: !isMuted(stream_id, topic) }
}

/** A user may star every message that it can see, including one that it did not receive. */
async function setFlag(
  ctx: Ctx,
  tx: Tx,
  {
    reader,
    flag,
    ids,
    rows,
  }: {
    readonly reader: Reader
    readonly flag: 'starred' | 'collapsed'
    readonly ids: readonly number[]
    readonly rows: readonly PlacedMessage[]
  },
): Promise<number[]> {
  const readable = rows.filter(row => mayReadMessage(ctx.directory, reader.user, row))
  if (flag === 'starred' && readable.length < new Set(ids).size) throw badRequest('Invalid message(s)')
  const historical = readable.filter(row => !row.is_received).map(row => row.id)
  return addFlag(tx, reader.userId, { bit: flagBit[flag], ids: readable.map(row => row.id), historical })
}

import { flagsRemove, type MessageDetails } from '../../../shared/events/update-message-flags.js'
import { topicKey } from '../../../shared/resources/topic.js'
import { type VisibilityPolicy, visibilityPolicy } from '../../../shared/resources/user-topic.js'
import type { Ctx } from '../../ctx.js'
import { currentUser } from '../../lookups/find-user.js'
import { mayReadMessage, type Reader } from '../../policies/reading.js'
import { realmSetting } from '../../policies/settings.js'
import type { ISql } from '../../store/driver/db.js'
import { flagBit, wildcardBit } from '../../store/messages/message-flags.js'
import { type PlacedMessage, placedMessages } from '../../store/messages/message-rows.js'
import { holdPlaces, placesOf } from '../../store/reading/held-places.js'
import { unreadParts } from '../../store/reading/mark-unread.js'
import { topicsOfUser } from '../../store/topics/user-topics.js'
import { writeAtOnce } from '../write-at-once.js'

export interface FlagsChanged {
  /** Message ids, ascending. */
  readonly changed: readonly number[]
  /** Channels that the user has left: messages in them cannot be marked as unread. */
  readonly ignoredChannels: readonly number[]
}

/** Marks messages as unread that the user received and has read, and emits them with what a client needs to know of them. */
export async function markUnread(ctx: Ctx, reader: Reader, ids: readonly number[]): Promise<FlagsChanged> {
  const { directory } = ctx
  const { userId } = reader
  let result: FlagsChanged = { changed: [], ignoredChannels: [] }
  await writeAtOnce(ctx, {
    async hold(tx) {
      await directory.hold(tx, 'share')
      await holdPlaces(tx, userId, ids)
    },
    async prepare(sql, emit) {
      const user = reader.user && currentUser(directory, reader.user)
      const rows = await placedMessages(sql, userId, ids)
      // Message ids are easy to guess: the answer must not reveal the channel of a message that the reader may not see.
      const known = rows.filter(row => row.is_received || mayReadMessage(directory, user, row))
      const left = new Set(
        known.flatMap(row => (row.channel_id !== null && !row.is_subscribed ? [row.channel_id] : [])),
      )
      const changed = rows.filter(row => row.is_received && row.is_read && !left.has(row.channel_id ?? 0))
      result = { changed: changed.map(row => row.id), ignoredChannels: [...left].sort((a, b) => a - b) }
      if (changed.length === 0) return null
      const isMuted = await mutedPlaces(sql, reader, changed)
      const message_details = Object.fromEntries(changed.map(row => [String(row.id), detailsOf(row, userId, isMuted)]))
      const empty_topic_display_name = realmSetting(directory, 'empty_topic_display_name')
      const messages = result.changed
      emit(flagsRemove, { flag: 'read', messages, message_details, empty_topic_display_name }, [userId])
      const own = changed.filter(row => row.read_by_all || (row.sender_id === userId && row.read_by_sender))
      const ownIds = own.map(row => row.id)
      return (within, version) => unreadParts(within, userId, placesOf(changed, version), ownIds)
    },
  })
  return result
}

type IsMuted = (channelId: number, topic: string) => boolean

/** Whether the reader muted a topic of these messages: its own policy decides, without one that of the channel. */
async function mutedPlaces(sql: ISql, reader: Reader, rows: readonly PlacedMessage[]): Promise<IsMuted> {
  const isInChannel = rows.some(row => row.channel_id !== null)
  const policies = new Map<string, VisibilityPolicy>()
  const keyOf = (channelId: number, topic: string) => `${channelId} ${topicKey(topic)}`
  for (const row of isInChannel ? await topicsOfUser(sql, reader.userId) : [])
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

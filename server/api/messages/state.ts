import { z } from 'zod'
import { limits } from '../../../shared/limits.js'
import { topicFor, topicKey } from '../../../shared/resources/topic.js'
import { type UnreadMsgs, unreadMsgs } from '../../../shared/resources/unread.js'
import { loadReader } from '../../lookups/load-reader.js'
import { type UnreadPlace, unreadPlaces } from '../../lookups/unread-places.js'
import { realmSetting } from '../../policies/settings.js'
import { newestReceived, recentConversations, starredMessages } from '../../store/message-state.js'
import type { StatePiece } from '../events/state.js'

const messagePiece: StatePiece = {
  fetchType: 'message',
  fields: { max_message_id: z.int().describe('Deprecated. -1: none.') },
  async read({ actor, tx }) {
    if (!actor) return { max_message_id: -1 }
    const newest = await newestReceived(tx, [actor.user.id])
    return { max_message_id: newest.get(actor.user.id) ?? -1 }
  },
}

const starredPiece: StatePiece = {
  fetchType: 'starred_messages',
  fields: { starred_messages: z.array(z.int()) },
  async read({ actor, tx }) {
    return { starred_messages: actor ? await starredMessages(tx, actor.user.id) : [] }
  },
}

const recentPiece: StatePiece = {
  fetchType: 'recent_private_conversations',
  fields: {
    recent_private_conversations: z.array(z.object({ max_message_id: z.int(), user_ids: z.array(z.int()) })),
  },
  async read({ actor, tx }) {
    const limit = limits.recent_private_conversations_scanned
    return { recent_private_conversations: actor ? await recentConversations(tx, actor.user.id, limit) : [] }
  },
}

const unreadPiece: StatePiece = {
  fetchType: 'update_message_flags',
  fields: { unread_msgs: unreadMsgs.describe('Only together with the fetch type `message`.') },
  async read({ ctx, actor, tx, options: { view } }) {
    const empty: UnreadMsgs = { count: 0, pms: [], streams: [], huddles: [], mentions: [], old_unreads_missing: false }
    if (!actor) return { unread_msgs: empty }
    const { userId, receivable } = await loadReader(ctx, tx, actor)
    const limit = limits.unread_messages_in_register
    const places = await unreadPlaces(ctx, tx, userId, receivable, limit)
    const displayName = realmSetting(ctx.directory, 'empty_topic_display_name')
    for (const place of places) {
      addPlace(empty, userId, { ...place, topic: topicFor(view, place.topic, displayName) })
    }
    const found = places.reduce((sum, place) => sum + place.ids.length, 0)
    return { unread_msgs: sortUnread({ ...empty, old_unreads_missing: found === limit }) }
  },
}

function addPlace(unread: UnreadMsgs, userId: number, place: UnreadPlace): void {
  const { channelId, userIds } = place
  const unread_message_ids = place.ids
  if (!place.isMuted) unread.count += unread_message_ids.length
  // A wildcard mention counts only in topics that the user has not muted.
  const mentions = [...place.mentions, ...(place.isMuted ? [] : place.wildcards)]
  unread.mentions.push(...new Set(mentions))
  if (channelId !== null) {
    unread.streams.push({ stream_id: channelId, topic: place.topic, unread_message_ids })
  } else if (userIds.length > 2) {
    unread.huddles.push({ user_ids_string: userIds.join(','), unread_message_ids })
  } else {
    const other = userIds.find(id => id !== userId) ?? userId
    unread.pms.push({ other_user_id: other, sender_id: other, unread_message_ids })
  }
}

const before = <T extends string | number>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0)

/** Sorts the lists by their places, ids ascending. */
function sortUnread(unread: UnreadMsgs): UnreadMsgs {
  unread.pms.sort((a, b) => a.other_user_id - b.other_user_id)
  unread.streams.sort((a, b) => a.stream_id - b.stream_id || before(topicKey(a.topic), topicKey(b.topic)))
  unread.huddles.sort((a, b) => before(a.user_ids_string, b.user_ids_string))
  unread.mentions.sort((a, b) => a - b)
  return unread
}

export const messageState: readonly StatePiece[] = [messagePiece, starredPiece, recentPiece, unreadPiece]

import { z } from 'zod'
import { limits } from '../../../shared/limits.js'
import { unreadMsgs } from '../../../shared/resources/unread.js'
import { loadReaderIn } from '../../lookups/load-reader.js'
import { unreadPlaces, unreadSelects } from '../../lookups/unread-places.js'
import { newestReceived, recentConversations, starredMessages } from '../../store/channels/message-state.js'
import type { StatePiece } from '../state-piece.js'
import { unreadFields } from './unread-fields.js'

const messagePiece: StatePiece = {
  fetchType: 'message',
  fields: { max_message_id: z.int().describe('Deprecated. -1: none.') },
  selects: [newestReceived],
  async read({ actor, rows }) {
    const [row] = actor ? rows.of(newestReceived) : []
    return { max_message_id: row?.newest ?? -1 }
  },
}

const starredPiece: StatePiece = {
  fetchType: 'starred_messages',
  fields: { starred_messages: z.array(z.int()) },
  selects: [starredMessages],
  async read({ actor, rows }) {
    return { starred_messages: actor ? rows.of(starredMessages).map(({ id }) => id) : [] }
  },
}

const recentPiece: StatePiece = {
  fetchType: 'recent_private_conversations',
  fields: {
    recent_private_conversations: z.array(z.object({ max_message_id: z.int(), user_ids: z.array(z.int()) })),
  },
  selects: [recentConversations],
  async read({ actor, rows }) {
    return { recent_private_conversations: actor ? rows.of(recentConversations) : [] }
  },
}

const unreadPiece: StatePiece = {
  fetchType: 'update_message_flags',
  fields: { unread_msgs: unreadMsgs.describe('Only together with the fetch type `message`.') },
  selects: unreadSelects,
  async read({ ctx, actor, tx, snapshot, listsVersion, rows, options: { view } }) {
    const limit = limits.unread_messages_in_register
    if (!actor) return unreadFields(ctx, { userId: 0, view }, [], limit)
    const { userId, receivable } = await loadReaderIn(ctx, tx, listsVersion, actor)
    const places = await unreadPlaces(ctx, tx, { userId, channelIds: receivable, snapshot, rows, limit })
    return unreadFields(ctx, { userId, view }, places, limit)
  },
}

export const messageState: readonly StatePiece[] = [messagePiece, starredPiece, recentPiece, unreadPiece]

import { z } from 'zod'
import { limits } from '../../../shared/limits.js'
import { unreadMsgs } from '../../../shared/resources/unread.js'
import { loadReaderIn } from '../../lookups/load-reader.js'
import { unreadPlaces } from '../../lookups/unread-places.js'
import { newestReceived, recentConversations, starredMessages } from '../../store/channels/message-state.js'
import type { StatePiece } from '../state-piece.js'
import { unreadFields } from './unread-fields.js'

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
  async read({ ctx, actor, tx, listsVersion, options: { view } }) {
    const limit = limits.unread_messages_in_register
    if (!actor) return unreadFields(ctx, { userId: 0, view }, [], limit)
    const { userId, receivable } = await loadReaderIn(ctx, tx, listsVersion, actor)
    return unreadFields(
      ctx,
      { userId, view },
      await unreadPlaces(ctx, tx, userId, { channelIds: receivable, limit }),
      limit,
    )
  },
}

export const messageState: readonly StatePiece[] = [messagePiece, starredPiece, recentPiece, unreadPiece]

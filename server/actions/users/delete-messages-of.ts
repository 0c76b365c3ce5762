import type { Ctx } from '../../ctx.js'
import type { Emit } from '../../realtime/emission.js'
import type { Tx } from '../../store/driver/db.js'
import { holdChannels } from '../../store/messages/message-audience.js'
import { type KindsOfMessages as Kinds, lockMessagesOf, newestMessageOf } from '../../store/messages/messages-of.js'
import type { UserRow } from '../../store/users/users.js'
import { deleteTogether } from '../messages/delete.js'

/** The kinds of a deactivated user's messages that are deleted. */
export interface KindsOfMessages {
  readonly delete_public_channel_messages: boolean
  readonly delete_private_channel_messages: boolean
  readonly delete_direct_messages: boolean
}

// Messages per batch, as in `limits.delete_topic_batch`: the locks are held for a few ms.
const batch = 100

/**
 * Deletes a batch of the user's newest messages of these kinds, all from one topic or conversation because a deletion event names one. The
 * caller holds the organization. Returns false when no message is left.
 */
export async function deleteMessagesOf(
  ctx: Ctx,
  tx: Tx,
  emit: Emit,
  { user, actions }: { readonly user: UserRow; readonly actions: KindsOfMessages },
): Promise<boolean> {
  const kinds = kindsOf(ctx, actions)
  if (kinds.channelIds.length === 0 && !kinds.direct) return false
  const newest = await newestMessageOf(tx, user.id, kinds)
  if (!newest) return false
  if (newest.channel_id !== null) await holdChannels(tx, [newest.channel_id], 'update')
  const ids = await lockMessagesOf(tx, user.id, newest, batch)
  // Empty if the messages were moved or deleted between the read and the lock; the next call finds their new place.
  const messages = ids.map(id => ({ id, topic: newest.topic }))
  if (messages.length > 0) await deleteTogether(ctx, tx, emit, { where: newest, messages, deleterId: user.id })
  return true
}

function kindsOf({ directory }: Ctx, actions: KindsOfMessages): Kinds {
  const channels = [...directory.channels.values()].filter(channel =>
    channel.invite_only ? actions.delete_private_channel_messages : actions.delete_public_channel_messages,
  )
  return { channelIds: channels.map(channel => channel.id), direct: actions.delete_direct_messages }
}

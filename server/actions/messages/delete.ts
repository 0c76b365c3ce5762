import { deleteMessageEvent } from '../../../shared/events/delete-message.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { requireMayDelete } from '../../policies/message-edits.js'
import { realmSetting } from '../../policies/settings.js'
import type { Emit } from '../../realtime/emission.js'
import type { ISql, Tx } from '../../store/driver/db.js'
import { filesUsedBy } from '../../store/files/attachments.js'
import { archiveMessages } from '../../store/messages/archived-messages.js'
import {
  type Deletable,
  type DeletableMessage,
  deletable,
  deleteOpened,
} from '../../store/messages/deletable-message.js'
import type { MessageRow } from '../../store/messages/messages.js'
import { archiveUnusedFiles } from '../files/uses.js'
import { gather } from '../gather.js'
import { writeWithoutLocks } from '../write-at-once.js'
import { type AccessGroup, messageAccess } from './audience.js'
import { notifyFirstMessage } from './first-message.js'
import { holdMessage } from './hold-message.js'
import { audienceOf, openForChange } from './open-message.js'

/** @throws {ApiError} BAD_REQUEST */
export async function deleteMessage(ctx: Ctx, actor: Actor, messageId: number): Promise<void> {
  let deleted: DeletableMessage | undefined
  const open = async (sql: ISql) => {
    const opened = await openForChange<Deletable>(ctx, sql, actor, { messageId, more: deletable(sql) })
    requireMayDelete(ctx.directory, opened.user, opened.message, ctx.clock.now())
    deleted = opened.message
    return opened
  }
  const done = await writeWithoutLocks(ctx, {
    changesLists: true,
    async prepare(sql, emit) {
      // Read first: if the directory changes meanwhile, the statement finds another version.
      const { version } = ctx.directory
      const { message, user } = await open(sql)
      // The first message of a channel is a fact of the channel, and files have events of their own: few deletions change them.
      if (message.uses_files || !message.is_later) return 'locks'
      const groups = [{ userIds: await audienceOf(ctx, sql, message), messageIds: [messageId] }]
      emitDeletion(ctx, emit, { where: message, ids: [messageId], deleterId: user.id, groups })
      return within => deleteOpened(within, message, { deleterId: user.id, version })
    },
  })
  if (done === 'locks') {
    await ctx.write(async (tx, emit) => {
      await holdMessage(ctx, tx, { messageId, lock: 'place' })
      const { message, user } = await open(tx)
      const messages = [{ id: messageId, topic: message.topic }]
      await deleteTogether(ctx, tx, emit, { where: message, messages, deleterId: user.id })
    })
  }
  if (deleted && deleted.channel_id !== null) {
    ctx.memory.knownTopics.forgetTopic({ channelId: deleted.channel_id, topic: deleted.topic })
  }
}

interface Deletion {
  readonly where: Pick<MessageRow, 'channel_id' | 'conversation_id'>
  /** Ascending. */
  readonly messages: readonly Pick<MessageRow, 'id' | 'topic'>[]
  /** Null: the server. */
  readonly deleterId: number | null
}

/**
 * Deletes messages of one channel or conversation, which an operator can restore for some time (docs/retention.md), and emits the deletion, with an
 * event for each topic, to all users who could see them, and to the deleting user. The caller holds the channel's row.
 */
export async function deleteTogether(ctx: Ctx, tx: Tx, emit: Emit, deletion: Deletion): Promise<void> {
  const { where, messages, deleterId } = deletion
  const all = messages.map(message => message.id)
  const groups = await messageAccess(tx, ctx.directory, where, all)
  const used = await filesUsedBy(tx, all)
  await archiveMessages(tx, all, deleterId)
  await archiveUnusedFiles(tx, emit, used)
  if (where.channel_id !== null) await notifyFirstMessage(ctx, tx, emit, where.channel_id)
  for (const [topic, there] of gather(messages, message => message.topic)) {
    const ids = there.map(message => message.id)
    const seen = groups.map(group => ({ ...group, messageIds: group.messageIds.filter(id => ids.includes(id)) }))
    const ofTopic = seen.filter(group => group.messageIds.length > 0)
    emitDeletion(ctx, emit, { where: { ...where, topic }, ids, deleterId, groups: ofTopic })
  }
}

interface DeletionInTopic {
  readonly where: Pick<MessageRow, 'channel_id' | 'topic'>
  readonly ids: readonly number[]
  readonly deleterId: number | null
  readonly groups: readonly AccessGroup[]
}

function emitDeletion(ctx: Ctx, emit: Emit, { where, ids, deleterId, groups }: DeletionInTopic): void {
  const place = where.channel_id === null ? undefined : { stream_id: where.channel_id, topic: where.topic }
  const empty_topic_display_name = realmSetting(ctx.directory, 'empty_topic_display_name')
  const others = groups.map(group => ({ ...group, userIds: group.userIds.filter(id => id !== deleterId) }))
  const sameSight = others.find(group => group.messageIds.length === ids.length)
  const own = [...(sameSight?.userIds ?? []), ...(deleterId === null ? [] : [deleterId])].sort((a, b) => a - b)
  for (const { messageIds, userIds } of [
    ...others.filter(group => group !== sameSight),
    { messageIds: ids, userIds: own },
  ]) {
    emit(deleteMessageEvent, { message_ids: messageIds, place, empty_topic_display_name }, userIds)
  }
}

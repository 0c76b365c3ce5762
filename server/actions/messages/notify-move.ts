import { deleteMessageEvent } from '../../../shared/events/delete-message.js'
import { flagsAdd } from '../../../shared/events/update-message-flags.js'
import type { Ctx } from '../../ctx.js'
import { mayReadChannel } from '../../policies/channel-permissions.js'
import { realmSetting } from '../../policies/settings.js'
import type { Emit } from '../../realtime/emission.js'
import type { ChannelRow } from '../../store/channels/channels.js'
import type { Tx } from '../../store/driver/db.js'
import type { EditableMessage } from '../../store/messages/editable-message.js'
import { forgetFlags } from '../../store/reading/flags.js'
import { markFollowedRead } from '../../store/reading/read-state.js'
import type { AccessGroup } from './audience.js'
import type { Move } from './plan-edit.js'

/** Users who saw the messages and may read them in the new channel without a subscription. `there`: those who see them there anyway. */
export function followers(
  { directory }: Ctx,
  to: ChannelRow,
  before: readonly AccessGroup[],
  there: readonly number[],
): AccessGroup[] {
  if (!to.history_public_to_subscribers) return []
  const known = new Set(there)
  const follows = (id: number): boolean => {
    const user = directory.users.get(id)
    return !known.has(id) && user !== undefined && mayReadChannel(directory, user, to, false)
  }
  return before.map(group => ({ ...group, userIds: group.userIds.filter(follows) }))
}

/** Emits a deletion to users who may not read the messages in the new channel, and removes their flags on them. */
export async function notifyLoss(
  ctx: Ctx,
  tx: Tx,
  emit: Emit,
  {
    message,
    before,
    after,
  }: {
    readonly message: EditableMessage
    readonly before: readonly AccessGroup[]
    readonly after: readonly AccessGroup[]
  },
): Promise<void> {
  const kept = new Map(
    after.flatMap(({ userIds, messageIds }) => userIds.map(id => [id, new Set(messageIds)] as const)),
  )
  const place = { stream_id: message.channel_id as number, topic: message.topic }
  const empty_topic_display_name = realmSetting(ctx.directory, 'empty_topic_display_name')
  const losses = new Map<string, { userIds: number[]; messageIds: number[] }>()
  for (const { userIds, messageIds } of before) {
    for (const userId of userIds) {
      const lost = messageIds.filter(id => !kept.get(userId)?.has(id))
      const known = losses.get(lost.join())
      if (known) known.userIds.push(userId)
      else if (lost.length > 0) losses.set(lost.join(), { userIds: [userId], messageIds: lost })
    }
  }
  if (losses.size > 0) await forgetFlags(tx, [...losses.values()])
  for (const { userIds, messageIds } of losses.values()) {
    userIds.sort((a, b) => a - b)
    emit(deleteMessageEvent, { message_ids: messageIds, place, empty_topic_display_name }, userIds)
  }
}

/** Marks messages as read for users without a subscription to their channel. `after`: the users who can see the messages now. */
export async function notifyRead(
  tx: Tx,
  emit: Emit,
  { from, to, ids }: Move,
  after: readonly AccessGroup[],
): Promise<void> {
  const readers = new Set(await markFollowedRead(tx, from.id, to.id, ids))
  for (const { userIds, messageIds } of after) {
    const audience = userIds.filter(id => readers.has(id))
    emit(flagsAdd, { flag: 'read', messages: messageIds, all: false }, audience)
  }
}

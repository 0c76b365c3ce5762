import { channelReference } from '../../../shared/resources/channel-reference.js'
import { messageUrl } from '../../../shared/resources/hash-links.js'
import { resolvedPrefix, topicKey } from '../../../shared/resources/topic.js'
import type { Notice } from '../../job-types/notice.js'
import type { ChannelRow } from '../../store/channels/channels.js'
import type { EditableMessage } from '../../store/messages/editable-message.js'
import type { Moving } from '../../store/messages/movable-message.js'
import type { UserRow } from '../../store/users/users.js'
import { silently } from './notice-mentions.js'
import type { EditPlan, MessageEdit } from './plan-edit.js'

interface Moved {
  readonly message: EditableMessage
  readonly user: UserRow
  readonly plan: EditPlan
  readonly moving: Moving
  readonly edit: MessageEdit
}

/** The notification bot's messages in the topics that messages are moved from and to. */
export function moveNotices({ message, user, plan: { move }, moving, edit }: Moved): Notice[] {
  if (!move) return []
  const who = silently(user)
  const topic = move.topic ?? message.topic
  // Only the spelling changed.
  if (move.from === move.to && topicKey(topic) === topicKey(message.topic)) return []
  const isWhole = !moving.leaves_others
  if (move.resolves && isWhole) {
    const state = topic.startsWith(resolvedPrefix) ? 'resolved' : 'unresolved'
    const content = `${who} has marked this topic as ${state}.`
    return [{ to: { channel: move.to.id, topic }, content, isOfResolution: true }]
  }
  const target = { stream_id: move.to.id, name: move.to.name }
  const [only, ...others] = move.ids
  const one = only === undefined || others.length > 0 ? null : `[A message](${messageUrl(target, topic, only)}) was`
  const what = isWhole ? 'This topic was' : (one ?? `${move.ids.length} messages were`)
  // Readers of one channel may not know the other.
  const place = (channel: ChannelRow, name: string) =>
    move.from !== move.to && channel.invite_only
      ? 'a private channel'
      : channelReference({ stream_id: channel.id, name: channel.name }, name)
  const oldPlace = place(move.from, message.topic)
  const newPlace = place(move.to, topic)
  const notices: Notice[] = []
  if (edit.notifyNewThread) {
    const content = `${what} moved here from ${oldPlace} by ${who}.`
    notices.push({ to: { channel: move.to.id, topic }, content })
  }
  if (edit.notifyOldThread) {
    const from = isWhole ? '' : ' from this topic'
    const content = `${what} moved${from} to ${newPlace} by ${who}.`
    notices.push({ to: { channel: move.from.id, topic: message.topic }, content })
  }
  return notices
}

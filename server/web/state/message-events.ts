import type { EventOf } from '../../../shared/client/index.js'
import { applyDeleteMessage, deletedIds } from '../../../shared/events/delete-message.js'
import { applyMessage } from '../../../shared/events/message.js'
import { applyUpdateMessage } from '../../../shared/events/update-message.js'
import { placeOf } from '../../../shared/resources/place.js'
import { topicKey } from '../../../shared/resources/topic.js'
import { channelOf } from './channels.js'
import type { ChatState, Message } from './chat-state.js'
import { addToFeeds, takeFromFeeds } from './feeds.js'
import { settleArrived } from './outbox.js'
import { matches, mentionFlags } from './place.js'
import { forgetTopics, noteTopic } from './topics.js'

/** `message`: a message was sent. */
export function messageSent(state: ChatState, event: EventOf<'message'>): void {
  applyMessage(state, event)
  const message: Message = { ...event.message, flags: [...event.flags] }
  const place = placeOf(message, state.user_id)
  state.messages[message.id] = message
  settleArrived(state, message, event.local_message_id)
  addToFeeds(state, message)
  if ('channelId' in place) noteTopic(state, place.channelId, place.topic, message.id)
  state.typists = state.typists.filter(({ userId }) => userId !== message.sender_id)
}

type Edit = EventOf<'update_message'>

/** `update_message`: a message's text changed, or messages moved to another topic or channel. */
export function messageEdited(state: ChatState, edit: Edit): void {
  applyUpdateMessage(state, edit)
  const message = state.messages[edit.message_id]
  if (message && edit.rendered_content !== undefined) {
    message.content = edit.rendered_content
    message.is_me_message = edit.is_me_message ?? message.is_me_message
    // Only the flags that follow from the text change; read and starred stay.
    message.flags = [
      ...message.flags.filter(flag => !mentionFlags.has(flag)),
      ...edit.flags.filter(flag => mentionFlags.has(flag)),
    ]
    for (const feed of Object.values(state.feeds)) delete feed.matches[message.id]
    if (!edit.rendering_only) message.last_edit_timestamp = edit.edit_timestamp
  }
  if (edit.subject !== undefined || edit.new_stream_id !== undefined) moved(state, edit)
}

function moved(state: ChatState, { message_ids, stream_id, new_stream_id, orig_subject, subject }: Edit): void {
  const channelId = new_stream_id ?? stream_id
  const topic = subject ?? orig_subject
  if (channelId === undefined || topic === undefined) return
  for (const id of message_ids) {
    const message = state.messages[id]
    if (!message) continue
    message.subject = topic
    message.stream_id = channelId
    message.display_recipient = channelOf(state, channelId)?.name ?? message.display_recipient
  }
  refile(state, message_ids)
  noteTopic(state, channelId, topic, Math.max(...message_ids))
  // Only the server knows whether messages remain in the old topic.
  if (stream_id !== undefined) forgetTopics(state, stream_id)
}

/** Removes moved messages from the views that they left, and adds them to others. */
function refile(state: ChatState, ids: readonly number[]): void {
  for (const feed of Object.values(state.feeds)) {
    const out = ids.filter(id => {
      const message = state.messages[id]
      return message && matches(state, feed.narrow, message) === false
    })
    if (out.length > 0) takeFromFeeds(state, new Set(out), [feed])
  }
  for (const id of ids) {
    const message = state.messages[id]
    if (message) addToFeeds(state, message)
  }
  // Moved messages that the page does not know may belong between those of a view, so the page fetches such a view
  // again.
  const unknown = ids.some(id => !state.messages[id])
  if (!unknown) return
  for (const feed of Object.values(state.feeds)) {
    const hasTopic = feed.narrow.kind === 'topic' && ids.some(id => isBetween(feed.ids, id))
    if (hasTopic) feed.foundNewest = false
  }
}

const isBetween = (ids: readonly number[], id: number): boolean => id >= (ids[0] ?? 0)

/** `delete_message`: messages were deleted, or moved to where the user may not read them. */
export function messagesDeleted(state: ChatState, event: EventOf<'delete_message'>): void {
  applyDeleteMessage(state, event)
  const ids = deletedIds(event)
  takeFromFeeds(state, ids)
  for (const id of ids) {
    delete state.messages[id]
    delete state.growing[id]
  }
  if (event.stream_id !== undefined) dropTopicWithout(state, event.stream_id, event.topic ?? '', ids)
}

/** The newest message of the topic was deleted: only the server knows the next one, if any. */
function dropTopicWithout(state: ChatState, channelId: number, topic: string, gone: ReadonlySet<number>): void {
  const topics = state.topics[channelId]
  const known = topics?.find(one => topicKey(one.name) === topicKey(topic))
  if (!topics || (known && gone.has(known.max_id))) forgetTopics(state, channelId)
}

/** `reaction`: adds or removes it, unless a page of history already shows the change. */
export function reacted(
  state: ChatState,
  { op, message_id, user_id, emoji_name, emoji_code, reaction_type }: EventOf<'reaction'>,
): void {
  const message = state.messages[message_id]
  if (!message) return
  const others = message.reactions.filter(
    one => one.user_id !== user_id || one.emoji_code !== emoji_code || one.reaction_type !== reaction_type,
  )
  message.reactions = op === 'add' ? [...others, { user_id, emoji_name, emoji_code, reaction_type }] : others
}

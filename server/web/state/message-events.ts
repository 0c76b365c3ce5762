import { topicKey } from '../../../shared/resources/topic.js'
import type { ChatState, Message, WireEvent } from './chat-state.js'
import { addToFeeds, takeFromFeeds } from './feeds.js'
import { settleArrived } from './outbox.js'
import { matches, mentionFlags, placeOf } from './place.js'
import { noteTopic } from './topics.js'
import { addUnread, removeUnread } from './unread.js'

/** `message`: a message was sent. */
export function messageSent(state: ChatState, event: WireEvent): void {
  const {
    message: sent,
    flags,
    local_message_id,
  } = event as unknown as {
    message: Message
    flags: string[]
    local_message_id?: string
  }
  const message: Message = { ...sent, flags: [...flags] }
  const place = placeOf(message, state.me)
  state.messages[message.id] = message
  state.maxMessageId = Math.max(state.maxMessageId, message.id)
  settleArrived(state, message, local_message_id)
  addToFeeds(state, message)
  if ('direct' in place) {
    state.conversations[place.direct] = Math.max(state.conversations[place.direct] ?? 0, message.id)
  } else noteTopic(state, place.channelId, place.topic, message.id)
  if (!flags.includes('read')) addUnread(state, message.id, place, isMention(flags))
  state.typists = state.typists.filter(({ userId }) => userId !== message.sender_id)
}

const isMention = (flags: readonly string[]): boolean => flags.some(flag => mentionFlags.has(flag))

interface Edit {
  message_id: number
  message_ids: number[]
  flags: string[]
  rendering_only: boolean
  edit_timestamp: number
  user_id: number | null
  stream_id?: number
  new_stream_id?: number
  orig_subject?: string
  subject?: string
  rendered_content?: string
  is_me_message?: boolean
}

/** `update_message`: a message's text changed, or messages moved to another topic or channel. */
export function messageEdited(state: ChatState, event: WireEvent): void {
  const edit = event as unknown as Edit
  const message = state.messages[edit.message_id]
  if (message && edit.rendered_content !== undefined) {
    message.content = edit.rendered_content
    message.is_me_message = edit.is_me_message ?? message.is_me_message
    // Only the flags that follow from the text change; read and starred stay.
    message.flags = [
      ...message.flags.filter(flag => !mentionFlags.has(flag)),
      ...edit.flags.filter(flag => mentionFlags.has(flag)),
    ]
    delete message.match_content
    if (!edit.rendering_only) message.last_edit_timestamp = edit.edit_timestamp
  }
  if (edit.subject !== undefined || edit.new_stream_id !== undefined) moved(state, edit)
}

function moved(state: ChatState, { message_ids, stream_id, new_stream_id, orig_subject, subject }: Edit): void {
  const channelId = new_stream_id ?? stream_id
  const topic = subject ?? orig_subject
  if (channelId === undefined || topic === undefined) return
  const ids = new Set(message_ids)
  const unread = unreadAmong(state, stream_id, ids)
  const mentions = new Set(state.unread.mentions)
  removeUnread(state, ids)
  for (const id of unread) addUnread(state, id, { channelId, topic }, mentions.has(id))
  for (const id of message_ids) {
    const message = state.messages[id]
    if (!message) continue
    message.subject = topic
    message.stream_id = channelId
    message.display_recipient = state.channels[channelId]?.name ?? message.display_recipient
  }
  refile(state, message_ids)
  noteTopic(state, channelId, topic, Math.max(...message_ids))
  // Only the server knows whether messages remain in the old topic.
  if (stream_id !== undefined) delete state.topics[stream_id]
}

function unreadAmong(state: ChatState, channelId: number | undefined, ids: ReadonlySet<number>): number[] {
  const topics = Object.values(state.unread.channels[channelId ?? -1] ?? {})
  return topics.flatMap(topic => topic.ids.filter(id => ids.has(id)))
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
export function messagesDeleted(state: ChatState, event: WireEvent): void {
  const ids = (event.message_ids as number[] | undefined) ?? [event.message_id as number]
  const gone = new Set(ids)
  takeFromFeeds(state, gone)
  removeUnread(state, gone)
  state.starred = state.starred.filter(id => !gone.has(id))
  for (const id of ids) delete state.messages[id]
  if (event.message_type === 'stream') dropTopicWithout(state, event.stream_id as number, event.topic as string, gone)
}

/** The newest message of the topic was deleted: only the server knows the next one, if any. */
function dropTopicWithout(state: ChatState, channelId: number, topic: string, gone: ReadonlySet<number>): void {
  const known = state.topics[channelId]?.find(one => topicKey(one.name) === topicKey(topic))
  if (known && gone.has(known.max_id)) delete state.topics[channelId]
}

interface ReactionEvent {
  op: 'add' | 'remove'
  message_id: number
  user_id: number
  emoji_name: string
  emoji_code: string
  reaction_type: string
}

/** `reaction`: adds or removes it, unless a page of history already shows the change. */
export function reacted(state: ChatState, event: WireEvent): void {
  const { op, message_id, user_id, emoji_name, emoji_code, reaction_type } = event as unknown as ReactionEvent
  const message = state.messages[message_id]
  if (!message) return
  const others = message.reactions.filter(
    one => one.user_id !== user_id || one.emoji_code !== emoji_code || one.reaction_type !== reaction_type,
  )
  const added = { user_id, emoji_name, emoji_code, reaction_type } as Message['reactions'][number]
  message.reactions = op === 'add' ? [...others, added] : others
}

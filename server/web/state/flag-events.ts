import type { ChatState, WireEvent } from './chat-state.js'
import { conversationKey } from './conversation.js'
import { addToFeeds, insert, takeFromFeeds } from './feeds.js'
import { addUnread, clearUnread, removeUnread } from './unread.js'

type Details =
  | { type: 'private'; mentioned?: boolean; user_ids: number[] }
  | { type: 'stream'; mentioned?: boolean; stream_id: number; topic: string }

interface FlagsEvent {
  op: 'add' | 'remove'
  flag: string
  messages: number[]
  all: boolean
  message_details?: Record<string, Details>
}

/** `update_message_flags`: flags of messages changed, on this page or in another client of the user. */
export function flagsChanged(state: ChatState, event: WireEvent): void {
  const { op, flag, messages, all, message_details } = event as unknown as FlagsEvent
  const ids = all ? Object.keys(state.messages).map(Number) : messages
  for (const id of ids) setFlag(state, id, flag, op === 'add')
  if (flag === 'read') {
    if (op === 'add') all ? clearUnread(state) : removeUnread(state, new Set(messages))
    else noteUnread(state, message_details ?? {})
  }
  if (flag === 'starred') changeStarred(state, messages, op === 'add')
}

function setFlag(state: ChatState, id: number, flag: string, isSet: boolean): void {
  const message = state.messages[id]
  if (!message || message.flags.includes(flag) === isSet) return
  message.flags = isSet ? [...message.flags, flag] : message.flags.filter(one => one !== flag)
}

function noteUnread(state: ChatState, details: Record<string, Details>): void {
  for (const [id, one] of Object.entries(details)) {
    const place =
      one.type === 'stream'
        ? { channelId: one.stream_id, topic: one.topic }
        : { direct: conversationKey(one.user_ids, state.me) }
    addUnread(state, Number(id), place, one.mentioned === true)
  }
}

function changeStarred(state: ChatState, ids: readonly number[], isStarred: boolean): void {
  if (isStarred) for (const id of ids) insert(state.starred, id)
  else state.starred = state.starred.filter(id => !ids.includes(id))
  const feed = state.feeds.starred
  if (!isStarred && feed) takeFromFeeds(state, new Set(ids), [feed])
  for (const id of ids) {
    const message = state.messages[id]
    if (isStarred && message) addToFeeds(state, message)
  }
}

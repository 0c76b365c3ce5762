import type { EventOf } from '../../../shared/client/index.js'
import { applyFlagsAdd, applyFlagsRemove } from '../../../shared/events/update-message-flags.js'
import type { ChatState } from './chat-state.js'
import { addToFeeds, takeFromFeeds } from './feeds.js'

type FlagsEvent = EventOf<'update_message_flags'>

/** `update_message_flags/add`: messages got a flag, on this page or in another client of the user. */
export function flagsAdded(state: ChatState, event: FlagsEvent & { op: 'add' }): void {
  applyFlagsAdd(state, event)
  const { flag, messages, all } = event
  for (const message of known(state, all ? Object.keys(state.messages).map(Number) : messages)) {
    if (!message.flags.includes(flag)) message.flags = [...message.flags, flag]
    if (flag === 'starred') addToFeeds(state, message)
  }
}

/** `update_message_flags/remove`: messages lost a flag, on this page or in another client of the user. */
export function flagsRemoved(state: ChatState, event: FlagsEvent & { op: 'remove' }): void {
  applyFlagsRemove(state, event)
  const { flag, messages } = event
  for (const message of known(state, messages)) {
    if (message.flags.includes(flag)) message.flags = message.flags.filter(one => one !== flag)
  }
  const feed = state.feeds.starred
  if (flag === 'starred' && feed) takeFromFeeds(state, new Set(messages), [feed])
}

const known = (state: ChatState, ids: readonly number[]) => ids.flatMap(id => state.messages[id] ?? [])

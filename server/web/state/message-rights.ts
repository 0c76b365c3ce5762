import {
  type DeleteObstacle,
  deleteObstacle,
  type EditObstacle,
  editObstacle,
  type PostObstacle,
  postObstacle,
} from '../../../shared/resources/message-rights.js'
import { peopleOf, placeOf } from '../../../shared/resources/place.js'
import { channelOf } from './channels.js'
import type { ChatState, Message } from './chat-state.js'
import { channelIdOf, type Narrow } from './narrow.js'
import { personOf } from './people.js'
import { holds, isAdministrator, isGuest, mayRead } from './permissions.js'

const age = (message: Message, now: number): number => now / 1000 - message.timestamp

const channelOfMessage = (state: ChatState, message: Message) => {
  const place = placeOf(message, state.user_id)
  return 'direct' in place ? undefined : channelOf(state, place.channelId)
}

/** Why the user of the page may not edit the message; undefined: the user may. `now` in ms. */
export const whyNotEdit = (state: ChatState, message: Message, now: number): EditObstacle | undefined =>
  editObstacle({
    isOwn: message.sender_id === state.user_id && !channelOfMessage(state, message)?.is_archived,
    isAllowed: state.realm_allow_message_editing,
    age: age(message, now),
    limit: state.realm_message_content_edit_limit_seconds,
  })

/** Why the user of the page may not delete the message; undefined: the user may. `now` in ms. */
export function whyNotDelete(state: ChatState, message: Message, now: number): DeleteObstacle | undefined {
  const channel = channelOfMessage(state, message)
  const holdsOne = (name: 'can_delete_any_message_group' | 'can_delete_own_message_group') =>
    holds(state, state[`realm_${name}`]) || (channel !== undefined && holds(state, channel[name]))
  const isOpen = !channel?.is_archived
  const isOwn =
    message.sender_id === state.user_id || personOf(state, message.sender_id)?.bot_owner_id === state.user_id
  return deleteObstacle({
    mayDeleteAny: isOpen && holdsOne('can_delete_any_message_group'),
    mayDeleteOwn: isOpen && isOwn && holdsOne('can_delete_own_message_group'),
    age: age(message, now),
    limit: state.realm_message_content_delete_limit_seconds,
  })
}

export const mayDeleteTopic = (state: ChatState, channelId: number): boolean =>
  isAdministrator(state) && channelOf(state, channelId)?.is_archived === false

/** Why the user of the page may not write in a view: that of the rule for channels, or no person of the conversation is there any more. */
export function whyNotWrite(state: ChatState, narrow: Narrow): PostObstacle | 'deactivated' | undefined {
  if (narrow.kind === 'direct') {
    const others = peopleOf(narrow.key).filter(id => id !== state.user_id)
    return others.some(id => id in state.realm_non_active_users) ? 'deactivated' : undefined
  }
  const channel = channelOf(state, channelIdOf(narrow) ?? -1)
  if (!channel) return undefined
  return postObstacle({
    isArchived: channel.is_archived,
    reaches: channel.stream_id in state.subscriptions || (!isGuest(state) && mayRead(state, channel)),
    mayWrite: holds(state, channel.can_send_message_group),
  })
}

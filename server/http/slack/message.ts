import type { EventMessage, MessageObject, Reaction } from '../../../shared/resources/message.js'
import type { Directory } from '../../memory/directory.js'
import { emojiNameOf } from './emoji.js'
import { botIdOf, type Place, teamId, tsOf, userIdOf } from './ids.js'
import type { Fields } from './method.js'
import { mrkdwnOf } from './mrkdwn-of.js'

/** The place of a message, as its reader sees it. */
export function placeOfMessage(
  { stream_id, display_recipient }: Pick<EventMessage, 'stream_id' | 'display_recipient'>,
  readerId: number,
): Place {
  if (stream_id !== undefined) return { channelId: stream_id }
  const ids = typeof display_recipient === 'string' ? [] : display_recipient.map(({ id }) => id)
  const others = ids.filter(id => id !== readerId)
  return { people: others.length === 0 ? [readerId] : others }
}

/** A message as Slack's programs read it. `threadTs`: of the first message of its topic. */
export function slackMessage(
  directory: Directory,
  message: EventMessage & Partial<MessageObject>,
  threadTs: string | undefined,
): Fields {
  return {
    type: 'message',
    user: userIdOf(message.sender_id),
    ...(directory.users.get(message.sender_id)?.is_bot && { bot_id: botIdOf(message.sender_id) }),
    team: teamId,
    text: mrkdwnOf(directory, message.content),
    ts: tsOf(message),
    ...(threadTs !== undefined && { thread_ts: threadTs }),
    ...(message.last_edit_timestamp !== undefined && {
      edited: { user: userIdOf(message.sender_id), ts: `${message.last_edit_timestamp}.000000` },
    }),
    ...(message.reactions.length > 0 && { reactions: reactionsOf(message.reactions) }),
  }
}

/** One entry for each emoji, in the order of their first reactions. */
function reactionsOf(reactions: readonly Reaction[]): Fields[] {
  const users = new Map<string, string[]>()
  for (const reaction of reactions) {
    const name = emojiNameOf(reaction)
    users.set(name, [...(users.get(name) ?? []), userIdOf(reaction.user_id)])
  }
  return [...users].map(([name, ids]) => ({ name, users: ids, count: ids.length }))
}

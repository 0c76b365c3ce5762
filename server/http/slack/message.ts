import type { MessageObject } from '../../../shared/resources/message.js'
import type { Directory } from '../../memory/directory.js'
import { botIdOf, type Place, teamId, tsOf, userIdOf } from './ids.js'
import type { Fields } from './method.js'
import { mrkdwnOf } from './mrkdwn-of.js'

/** The place of a message, as its reader sees it. */
export function placeOfMessage(
  { stream_id, display_recipient }: Pick<MessageObject, 'stream_id' | 'display_recipient'>,
  readerId: number,
): Place {
  if (stream_id !== undefined) return { channelId: stream_id }
  const ids = typeof display_recipient === 'string' ? [] : display_recipient.map(({ id }) => id)
  const others = ids.filter(id => id !== readerId)
  return { people: others.length === 0 ? [readerId] : others }
}

/** A message as Slack's programs read it. `threadTs`: of the first message of its topic. */
export function slackMessage(directory: Directory, message: MessageObject, threadTs: string | undefined): Fields {
  return {
    type: 'message',
    user: userIdOf(message.sender_id),
    ...(directory.users.get(message.sender_id)?.is_bot && { bot_id: botIdOf(message.sender_id) }),
    team: teamId,
    text: mrkdwnOf(directory, message.content),
    ts: tsOf(message),
    ...(threadTs !== undefined && { thread_ts: threadTs }),
  }
}

import { ApiError } from '../../../shared/errors.js'
import type { MessageObject } from '../../../shared/resources/message.js'
import { idsOfTime } from '../../store/messages/ids-of-time.js'
import { idsOfSecond, type Place, placeId, placeOf, readTs } from './ids.js'
import { placeOfMessage } from './message.js'
import type { SlackCall } from './slack-call.js'
import { SlackError } from './slack-error.js'

/** A message that the caller may read, with its Markdown. @throws {SlackError} message_not_found, channel_not_found */
export async function findMessage(
  call: SlackCall,
  place: Place,
  time: string,
  otherwise = 'message_not_found',
): Promise<MessageObject> {
  const ts = readTs(time)
  const ids = ts ? await idsOfTime(call.ctx.sql, ts.seconds, { rest: ts.rest, of: idsOfSecond }) : []
  for (const id of ids) {
    const message = await readMessage(call, id)
    if (message && placeId(placeOfMessage(message, call.caller.id)) === placeId(place)) return message
  }
  throw new SlackError(otherwise)
}

/** Undefined: the caller may not read it, or it does not exist. */
export async function readMessage(call: SlackCall, id: number): Promise<MessageObject | undefined> {
  try {
    const form = { apply_markdown: false, allow_empty_topic_name: true }
    return (await call.ask<{ message: MessageObject }>('GET', `/messages/${id}`, form)).message
  } catch (thrown) {
    if (thrown instanceof ApiError && thrown.code === 'BAD_REQUEST') return undefined
    throw thrown
  }
}

/** The place that an argument names by its id; a channel also by its name. @throws {SlackError} channel_not_found */
export function findPlace({ ctx }: SlackCall, given: string): Place {
  const place = placeOf(given)
  if (place) return place
  const channel = ctx.directory.channelNamed(given.replace(/^#/, ''))
  if (!channel) throw new SlackError('channel_not_found')
  return { channelId: channel.id }
}

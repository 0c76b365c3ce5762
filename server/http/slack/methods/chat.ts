import { z } from 'zod'
import type { To } from '../../../actions/messages/recipients.js'
import { sendMessage } from '../../../actions/messages/send.js'
import { allowsEmptyTopic } from '../../../policies/messages.js'
import { flag, word } from '../args.js'
import { contentArgs, markdownOf } from '../content.js'
import { findMessage, findPlace } from '../find-message.js'
import { botIdOf, type Place, placeId, teamId, tsOf, userIdOf } from '../ids.js'
import { type Fields, method } from '../method.js'
import { mrkdwnOf } from '../mrkdwn-of.js'
import type { SlackCall } from '../slack-call.js'
import { SlackError } from '../slack-error.js'

const message = { channel: word(), ts: word() }

const postMessage = method({
  name: 'chat.postMessage',
  args: z.object({ channel: word(), thread_ts: word().optional(), ...contentArgs }),
  refusals: { BAD_REQUEST: 'restricted_action' },
  handle: (call, { channel, thread_ts, ...given }) =>
    post(call, { channel, thread: thread_ts, content: markdownOf(call.ctx, given) }),
})

interface Post {
  readonly channel: string
  readonly thread: string | undefined
  /** Markdown. */
  readonly content: string
}

/** @throws {SlackError}; {ApiError} */
export async function post(call: SlackCall, { channel, thread, content }: Post): Promise<Fields> {
  const { ctx, caller, request } = call
  const place = findPlace(call, channel)
  const to = await destinationOf(call, place, { thread, content })
  // The action and not its operation: a part of `ts` is the time, which the answer of the operation lacks.
  const { id, sentAt } = await sendMessage(ctx, {
    senderId: caller.id,
    client: request.client,
    to,
    content,
    readBySender: false,
  })
  const ts = tsOf({ id, timestamp: Math.floor((sentAt?.getTime() ?? ctx.clock.now()) / 1000) })
  return {
    channel: placeId(place),
    ts,
    message: { ...ownMessage(call, content, ts), ...(thread && { thread_ts: thread }) },
  }
}

/** Without a thread a message goes to the empty topic, or where that is not allowed to a topic named by its first line. */
async function destinationOf(
  call: SlackCall,
  place: Place,
  { thread, content }: { readonly thread: string | undefined; readonly content: string },
): Promise<To> {
  if ('people' in place) return place
  const { directory } = call.ctx
  const channel = directory.channels.get(place.channelId)
  if (!channel) throw new SlackError('channel_not_found')
  if (thread !== undefined) {
    const root = await findMessage(call, place, thread, 'thread_not_found')
    return { channel: channel.id, topic: root.subject }
  }
  const topic = allowsEmptyTopic(directory, channel) ? '' : (/^.*$/m.exec(content.trim())?.[0] ?? '')
  return { channel: channel.id, topic }
}

/** A message that the caller has just written. */
const ownMessage = ({ ctx, caller }: SlackCall, content: string, ts: string) => ({
  type: 'message',
  user: userIdOf(caller.id),
  ...(caller.is_bot && { bot_id: botIdOf(caller.id) }),
  team: teamId,
  text: mrkdwnOf(ctx.directory, content),
  ts,
})

const update = method({
  name: 'chat.update',
  args: z.object({ ...message, ...contentArgs, as_user: flag().optional() }),
  refusals: { BAD_REQUEST: 'cant_update_message' },
  async handle(call, { channel, ts, ...given }) {
    const content = markdownOf(call.ctx, given)
    const place = findPlace(call, channel)
    const { id } = await findMessage(call, place, ts)
    await call.ask('PATCH', `/messages/${id}`, { content })
    const message = ownMessage(call, content, ts)
    return { channel: placeId(place), ts, text: message.text, message }
  },
})

const remove = method({
  name: 'chat.delete',
  args: z.object(message),
  refusals: { BAD_REQUEST: 'cant_delete_message' },
  async handle(call, { channel, ts }) {
    const place = findPlace(call, channel)
    const { id } = await findMessage(call, place, ts)
    await call.ask('DELETE', `/messages/${id}`)
    return { channel: placeId(place), ts }
  },
})

export const chatMethods = [postMessage, update, remove]

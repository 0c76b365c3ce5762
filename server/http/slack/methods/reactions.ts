import { z } from 'zod'
import { word } from '../args.js'
import { emojiNamed } from '../emoji.js'
import { findMessage, findPlace } from '../find-message.js'
import { placeId } from '../ids.js'
import { slackMessage } from '../message.js'
import { method } from '../method.js'
import { threadTimes } from '../threads.js'

const messageArgs = { channel: word(), timestamp: word() }

const add = method({
  name: 'reactions.add',
  args: z.object({ ...messageArgs, name: word() }),
  refusals: { BAD_REQUEST: 'invalid_name', REACTION_ALREADY_EXISTS: 'already_reacted' },
  async handle(call, { channel, timestamp, name }) {
    const { id } = await findMessage(call, findPlace(call, channel), timestamp)
    await call.ask('POST', `/messages/${id}/reactions`, emojiNamed(call.ctx.directory, name))
    return {}
  },
})

const remove = method({
  name: 'reactions.remove',
  args: z.object({ ...messageArgs, name: word() }),
  refusals: { BAD_REQUEST: 'invalid_name', REACTION_DOES_NOT_EXIST: 'no_reaction' },
  async handle(call, { channel, timestamp, name }) {
    const { id } = await findMessage(call, findPlace(call, channel), timestamp)
    await call.ask('DELETE', `/messages/${id}/reactions`, emojiNamed(call.ctx.directory, name))
    return {}
  },
})

const get = method({
  name: 'reactions.get',
  args: z.object(messageArgs),
  async handle(call, { channel, timestamp }) {
    const place = findPlace(call, channel)
    const message = await findMessage(call, place, timestamp)
    const threadOf = await threadTimes(call, [message])
    return {
      type: 'message',
      channel: placeId(place),
      message: slackMessage(call.ctx.directory, message, threadOf(message)),
    }
  },
})

export const reactionMethods = [add, remove, get]

import { z } from 'zod'
import { flag, text, word } from '../args.js'
import { type Place, requiredUser } from '../ids.js'
import { method } from '../method.js'
import type { SlackCall } from '../slack-call.js'
import { SlackError } from '../slack-error.js'
import { channelNamedIn, placeFields, readChannel } from './conversations.js'

const channelArg = { channel: word() }
const refusals = { BAD_REQUEST: 'restricted_action', CHANNEL_ALREADY_EXISTS: 'name_taken' } as const

const create = method({
  name: 'conversations.create',
  args: z.object({ name: word(), is_private: flag().default(false) }),
  refusals,
  async handle(call, { name, is_private }) {
    const { id } = await call.ask<{ id: number }>('POST', '/channels/create', {
      name,
      subscribers: [call.caller.id],
      invite_only: is_private,
    })
    return shown(call, { channelId: id })
  },
})

const rename = method({
  name: 'conversations.rename',
  args: z.object({ ...channelArg, name: word() }),
  refusals,
  handle: (call, { channel, name }) => change(call, channel, { new_name: name }),
})

const setPurpose = method({
  name: 'conversations.setPurpose',
  args: z.object({ ...channelArg, purpose: text() }),
  refusals,
  handle: (call, { channel, purpose }) => change(call, channel, { description: purpose }),
})

const unarchive = method({
  name: 'conversations.unarchive',
  args: z.object(channelArg),
  refusals,
  handle: (call, { channel }) => change(call, channel, { is_archived: false }),
})

const archive = method({
  name: 'conversations.archive',
  args: z.object(channelArg),
  refusals,
  async handle(call, { channel }) {
    await call.ask('DELETE', `/streams/${channelNamedIn(call, channel).channelId}`)
    return {}
  },
})

async function change(call: SlackCall, channel: string, changes: object) {
  const place = channelNamedIn(call, channel)
  await call.ask('PATCH', `/streams/${place.channelId}`, { ...changes })
  return shown(call, place)
}

const shown = async (call: SlackCall, place: Place) => ({ channel: await placeFields(call, place) })

// Slack's own bound.
const mostUsers = 100

const invite = method({
  name: 'conversations.invite',
  args: z.object({ ...channelArg, users: word() }),
  refusals: { ...refusals, UNAUTHORIZED_PRINCIPAL: 'user_not_found' },
  async handle(call, { channel, users }) {
    const principals = users.split(',').map(id => requiredUser(id.trim()))
    if (principals.length > mostUsers) throw new SlackError('too_many_users')
    const place = channelNamedIn(call, channel)
    const { stream } = await readChannel(call, place.channelId)
    const { subscribed } = await call.ask<{ subscribed: Readonly<Record<string, unknown>> }>(
      'POST',
      '/users/me/subscriptions',
      { subscriptions: [{ name: stream.name }], principals },
    )
    if (Object.keys(subscribed).length === 0) throw new SlackError('already_in_channel')
    return shown(call, place)
  },
})

const kick = method({
  name: 'conversations.kick',
  args: z.object({ ...channelArg, user: word() }),
  refusals,
  async handle(call, { channel, user }) {
    const principal = requiredUser(user)
    if (principal === call.caller.id) throw new SlackError('cant_kick_self')
    const { stream } = await readChannel(call, channelNamedIn(call, channel).channelId)
    const { removed } = await call.ask<{ removed: string[] }>('DELETE', '/users/me/subscriptions', {
      subscriptions: [stream.name],
      principals: [principal],
    })
    if (removed.length === 0) throw new SlackError('not_in_channel')
    return {}
  },
})

export const channelMethods = [create, rename, setPurpose, archive, unarchive, invite, kick]

import { z } from 'zod'
import type { ChannelObject } from '../../../../shared/resources/channel.js'
import { flag, word } from '../args.js'
import { findPlace } from '../find-message.js'
import { channelIdOf, type Place, placeId, requiredUser, teamId, userIdOf } from '../ids.js'
import { type Fields, method } from '../method.js'
import { pageArgs, pageOf } from '../page.js'
import type { SlackCall } from '../slack-call.js'
import { SlackError } from '../slack-error.js'
import { knownUsers } from './users.js'

const channelArg = { channel: word() }
const listArgs = z.object({
  types: word().default('public_channel'),
  exclude_archived: flag().default(false),
  ...pageArgs,
})

const list = method({
  name: 'conversations.list',
  args: listArgs,
  handle: (call, args) => listChannels(call, args, false),
})

const listOwn = method({
  name: 'users.conversations',
  args: listArgs,
  handle: (call, args) => listChannels(call, args, true),
})

async function listChannels(call: SlackCall, args: z.output<typeof listArgs>, isOwn: boolean): Promise<Fields> {
  const { exclude_archived } = args
  const read = (include_public: boolean) =>
    call.ask<{ streams: ChannelObject[] }>('GET', '/streams', { include_public, exclude_archived })
  const [all, own] = await Promise.all([isOwn ? undefined : read(true), read(false)])
  const ownIds = new Set(own.streams.map(({ stream_id }) => stream_id))
  const types = args.types.split(',').map(type => type.trim())
  const wanted = (all ?? own).streams.filter(({ invite_only }) =>
    types.includes(invite_only ? 'private_channel' : 'public_channel'),
  )
  const { shown, next } = pageOf(wanted, ({ stream_id }) => stream_id, args)
  return { channels: shown.map(channel => channelFields(channel, ownIds.has(channel.stream_id))), ...next }
}

const info = method({
  name: 'conversations.info',
  args: z.object(channelArg),
  refusals: { BAD_REQUEST: 'channel_not_found' },
  handle: async (call, { channel }) => ({ channel: await placeFields(call, findPlace(call, channel)) }),
})

const members = method({
  name: 'conversations.members',
  args: z.object({ ...channelArg, ...pageArgs }),
  refusals: { BAD_REQUEST: 'channel_not_found' },
  async handle(call, { channel, ...page }) {
    const { shown, next } = pageOf(await memberIds(call, findPlace(call, channel)), id => id, page)
    return { members: shown.map(userIdOf), ...next }
  },
})

async function memberIds(call: SlackCall, place: Place): Promise<readonly number[]> {
  if ('people' in place) return [...new Set([...place.people, call.caller.id])]
  return (await call.ask<{ subscribers: number[] }>('GET', `/streams/${place.channelId}/members`)).subscribers
}

const open = method({
  name: 'conversations.open',
  args: z.object({ users: word().optional(), channel: word().optional(), return_im: flag().default(false) }),
  async handle(call, { users, channel, return_im }) {
    const place = channel === undefined ? { people: userList(users) } : findPlace(call, channel)
    if (!('people' in place)) throw new SlackError('method_not_supported_for_channel_type')
    const known = await knownUsers(call, place.people)
    if (known.length < place.people.length) throw new SlackError('user_not_found')
    return { channel: return_im ? conversationFields(place.people) : { id: placeId(place) } }
  },
})

// Slack's own bound.
const mostUsers = 8

/** @throws {SlackError} */
function userList(users: string | undefined): number[] {
  if (users === undefined) throw new SlackError('users_list_not_supplied')
  const ids = [...new Set(users.split(',').map(id => requiredUser(id.trim())))]
  if (ids.length > mostUsers) throw new SlackError('too_many_users')
  return ids
}

const join = method({
  name: 'conversations.join',
  args: z.object(channelArg),
  refusals: { BAD_REQUEST: 'method_not_supported_for_channel_type' },
  async handle(call, { channel }) {
    const place = channelNamedIn(call, channel)
    const { stream } = await readChannel(call, place.channelId)
    await call.ask('POST', '/users/me/subscriptions', { subscriptions: [{ name: stream.name }] })
    return { channel: await placeFields(call, place) }
  },
})

const leave = method({
  name: 'conversations.leave',
  args: z.object(channelArg),
  refusals: { BAD_REQUEST: 'channel_not_found' },
  async handle(call, { channel }) {
    const { stream } = await readChannel(call, channelNamedIn(call, channel).channelId)
    const left = await call.ask<{ removed: string[] }>('DELETE', '/users/me/subscriptions', {
      subscriptions: [stream.name],
    })
    return left.removed.length === 0 ? { not_in_channel: true } : {}
  },
})

export const readChannel = (call: SlackCall, id: number) => call.ask<{ stream: ChannelObject }>('GET', `/streams/${id}`)

/** @throws {SlackError} also for a conversation */
export function channelNamedIn(call: SlackCall, given: string) {
  const place = findPlace(call, given)
  if ('people' in place) throw new SlackError('method_not_supported_for_channel_type')
  return place
}

export async function placeFields(call: SlackCall, place: Place): Promise<Fields> {
  if ('people' in place) return conversationFields(place.people)
  const [{ stream }, { is_subscribed }] = await Promise.all([
    readChannel(call, place.channelId),
    call.ask<{ is_subscribed: boolean }>('GET', `/users/${call.caller.id}/subscriptions/${place.channelId}`),
  ])
  return channelFields(stream, is_subscribed)
}

const kinds = { is_channel: false, is_group: false, is_im: false, is_mpim: false, is_private: true }

function conversationFields(people: readonly number[]): Fields {
  const [only, ...others] = people
  const isDirect = others.length === 0
  return {
    id: placeId({ people }),
    ...kinds,
    ...(isDirect ? { is_im: true, user: userIdOf(only ?? 0) } : { is_mpim: true }),
    is_open: true,
  }
}

function channelFields(channel: ChannelObject, is_member: boolean): Fields {
  const creator = channel.creator_id === null ? '' : userIdOf(channel.creator_id)
  return {
    id: channelIdOf(channel.stream_id),
    name: channel.name,
    name_normalized: channel.name,
    ...kinds,
    is_channel: !channel.invite_only,
    is_group: channel.invite_only,
    is_private: channel.invite_only,
    is_archived: channel.is_archived,
    is_general: false,
    is_member,
    created: channel.date_created,
    creator,
    context_team_id: teamId,
    num_members: channel.subscriber_count,
    topic: { value: '', creator: '', last_set: 0 },
    purpose: { value: channel.description, creator, last_set: channel.date_created },
  }
}

export const conversationMethods = [list, listOwn, info, members, open, join, leave]

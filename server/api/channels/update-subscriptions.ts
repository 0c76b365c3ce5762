import { z } from 'zod'
import { subscribe } from '../../actions/channels/subscribe.js'
import { budgets } from '../../config/budgets.js'
import { json, list, text } from '../../params/schemas.js'
import { notGuest } from '../../policies/allow.js'
import { route } from '../route.js'
import { channelDescription, color, namedChannel, newChannelParams, newChannelSettings } from './params.js'
import { leftNamesOf, namesByUser, namesOf } from './subscription-names.js'

const defaultSettings = newChannelSettings(z.object(newChannelParams).parse({}))
const channel = z.object({ name: namedChannel, description: channelDescription.optional(), color: color.nullish() })

export const updateSubscriptions = route({
  operation: 'update_subscriptions',
  method: 'PATCH',
  path: '/users/me/subscriptions',
  doc: 'Subscribes you to channels and unsubscribes you from others, all or none. Missing channels are created.',
  allow: notGuest,
  params: z.object({
    add: json(list(channel, budgets.channelsPerRequest.most)).default([]).describe('Channels to subscribe to.'),
    delete: json(list(text(), budgets.channelsPerRequest.most)).default([]).describe('Names of channels to leave.'),
  }),
  requires: [{ anyOf: ['add', 'delete'], refusal: 'Nothing to do. Specify at least one of "add" or "delete".' }],
  returns: z.object({
    subscribed: namesByUser.describe('User id to names of channels.'),
    already_subscribed: namesByUser,
    removed: z.array(z.string()).describe('Channels that you left.'),
    not_removed: z.array(z.string()).describe('Channels to which you were not subscribed.'),
  }),
  errors: ['BAD_REQUEST', 'CHANNEL_ALREADY_EXISTS', 'REQUEST_VARIABLE_INVALID'],
  async handle({ ctx, actor, params: { add, delete: leave } }) {
    const result = await subscribe(ctx, actor, {
      channels: add.map(({ name, description = '', color: chosen = null }) => ({ name, description, color: chosen })),
      principals: [],
      authorizationErrorsFatal: true,
      settings: defaultSettings,
      leave,
    })
    const { removed, not_removed } = result.left ? leftNamesOf(result.left) : { removed: [], not_removed: [] }
    return { ...namesOf(result), removed, not_removed }
  },
})

import { z } from 'zod'
import { unsubscribe as unsubscribeUsers } from '../../actions/channels/unsubscribe.js'
import { budgets } from '../../config/budgets.js'
import { json, list, text } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'
import { principals } from './params.js'
import { leftNamesOf } from './subscription-names.js'

export const unsubscribe = route({
  operation: 'unsubscribe',
  method: 'DELETE',
  path: '/users/me/subscriptions',
  doc: 'Unsubscribes you, your bots or other users from channels.',
  allow: anyAccount,
  params: z.object({
    subscriptions: json(list(text(), budgets.channelsPerRequest.most)).describe('Names of the channels.'),
    principals: principals.default([]).describe('The users to unsubscribe: ids or API emails; default: the caller.'),
  }),
  returns: z.object({
    removed: z.array(z.string()).describe('Channels from which users were unsubscribed.'),
    not_removed: z.array(z.string()).describe('Channels to which some of the users were not subscribed.'),
  }),
  errors: ['BAD_REQUEST'],
  async handle({ ctx, actor, params }) {
    return leftNamesOf(await unsubscribeUsers(ctx, actor, params.subscriptions, params.principals))
  },
})

import { z } from 'zod'
import { type SubscribeRequest, subscribe as subscribeUsers } from '../../actions/channels/subscribe.js'
import { tellsSubscribers } from '../../actions/channels/subscription-notices.js'
import { budgets } from '../../config/budgets.js'
import { boolean, json, list } from '../../params/schemas.js'
import { notGuest } from '../../policies/allow.js'
import { route } from '../route.js'
import { channelDescription, color, namedChannel, newChannelParams, newChannelSettings, principals } from './params.js'
import { namesByUser, namesOf } from './subscription-names.js'

export const subscribe = route({
  operation: 'subscribe',
  method: 'POST',
  path: '/users/me/subscriptions',
  doc: 'Subscribes users to channels and creates the channels that do not exist.',
  allow: notGuest,
  params: z.object({
    subscriptions: json(
      list(
        z.object({
          name: namedChannel,
          description: channelDescription.optional(),
          color: color.nullish(),
        }),
        budgets.channelsPerRequest.most,
      ),
    ).describe('The channels: name, and a description for new ones.'),
    principals: principals.default([]).describe('The users to subscribe: ids or API emails; default: the caller.'),
    authorization_errors_fatal: boolean()
      .default(true)
      .describe('False: channels that the caller may not access are listed as `unauthorized`.'),
    ...newChannelParams,
    send_new_subscription_messages: boolean()
      .default(true)
      .describe('Whether users get a message if another user subscribed them.'),
  }),
  returns: z.object({
    subscribed: namesByUser.describe('User id to names of channels.'),
    already_subscribed: namesByUser,
    unauthorized: z.array(z.string()).optional(),
    new_subscription_messages_sent: z.boolean().optional(),
  }),
  errors: [
    'BAD_REQUEST',
    // For names that only the database treats as equal.
    'CHANNEL_ALREADY_EXISTS',
    'REQUEST_VARIABLE_INVALID',
    'UNAUTHORIZED_PRINCIPAL',
    'SYSTEM_GROUP_REQUIRED',
  ],
  creates: true,
  async handle({ creating, actor, params }) {
    const notices = { announce: params.announce, toSubscribers: params.send_new_subscription_messages }
    const request: SubscribeRequest = {
      channels: params.subscriptions.map(({ name, description = '', color = null }) => ({ name, description, color })),
      principals: params.principals,
      authorizationErrorsFatal: params.authorization_errors_fatal,
      settings: newChannelSettings(params),
      notices,
    }
    return creating(
      creatingCtx => subscribeUsers(creatingCtx, actor, request),
      result => ({
        ...namesOf(result),
        ...(!params.authorization_errors_fatal && { unauthorized: result.unauthorized }),
        ...(notices.toSubscribers && { new_subscription_messages_sent: tellsSubscribers(result, notices) }),
      }),
    )
  },
})

import { z } from 'zod'
import { createChannel as createNewChannel } from '../../actions/channels/create-channel.js'
import { budgets } from '../../config/budgets.js'
import { idList, json } from '../../params/schemas.js'
import { notGuest } from '../../policies/allow.js'
import { route } from '../route.js'
import { channelDescription, channelName, newChannelParams, newChannelSettings } from './params.js'

export const createChannel = route({
  operation: 'create_channel',
  method: 'POST',
  path: '/channels/create',
  doc: 'Creates a channel and subscribes users to it.',
  allow: notGuest,
  params: z.object({
    name: channelName.describe('Name of the channel.'),
    subscribers: json(idList(budgets.principalsPerRequest.most)).describe(
      'The users to subscribe; the caller only if listed.',
    ),
    description: channelDescription.default('').describe('Markdown source.'),
    ...newChannelParams,
  }),
  returns: z.object({ id: z.int() }),
  errors: [
    'CHANNEL_ALREADY_EXISTS',
    'BAD_REQUEST',
    'REQUEST_VARIABLE_INVALID',
    'UNAUTHORIZED_PRINCIPAL',
    'SYSTEM_GROUP_REQUIRED',
  ],
  isAdministrative: true,
  creates: true,
  async handle({ creating, actor, params }) {
    const { name, description, subscribers } = params
    const settings = newChannelSettings(params)
    const { announce } = params
    return creating(
      creatingCtx => createNewChannel(creatingCtx, actor, { name, description, subscribers, settings, announce }),
      ({ created }) => ({ id: created[0]?.id }),
    )
  },
})

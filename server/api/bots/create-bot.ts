import { z } from 'zod'
import { createBot as create } from '../../actions/bots/create-bot.js'
import { mostPictureBody } from '../../actions/pictures/stored-picture.js'
import { boolean, integer } from '../../params/schemas.js'
import { humanMembers } from '../../policies/allow.js'
import { avatarUrl } from '../../presenters/avatars.js'
import { defaultChannels } from '../../presenters/bot-object.js'
import { route } from '../route.js'
import { fullName } from '../users/account-params.js'
import { channelName, defaultsFields, serviceInterface, serviceUrl, shortName } from './bot-params.js'

export const createBot = route({
  operation: 'create_bot',
  method: 'POST',
  path: '/bots',
  doc: 'Makes a bot of the caller, which is in no channel yet; the form may have a picture for it. For holders of `can_create_bots_group`, and an incoming webhook also for those of `can_create_write_only_bots_group`.',
  allow: humanMembers,
  params: z.object({
    full_name: fullName().describe('The displayed name; that of no active account.'),
    short_name: shortName().describe('Its address becomes `<short_name>-bot@` and the host of the organization.'),
    bot_type: integer({ min: 1, max: 3 })
      .default(1)
      .describe(
        '1: any operation; 2: incoming webhook, only sends messages; 3: outgoing webhook, which gets messages at `payload_url`.',
      ),
    payload_url: serviceUrl().describe(
      'For an outgoing webhook: where it gets messages, an address of `http:` or `https:`.',
    ),
    interface_type: serviceInterface().describe('For an outgoing webhook: 1 the form of this server, 2 that of Slack.'),
    default_sending_stream: channelName().describe(
      'Name of the channel to which it writes where nothing else is said.',
    ),
    default_events_register_stream: channelName().describe(
      'Name of the channel whose messages its queues receive where a registration says nothing else.',
    ),
    default_all_public_streams: boolean()
      .default(false)
      .describe('Its queues receive the messages of all public channels where a registration says nothing else.'),
  }),
  returns: z.object({ user_id: z.int(), api_key: z.string(), avatar_url: z.string(), ...defaultsFields }),
  errors: ['BAD_REQUEST', 'BAD_IMAGE'],
  isAdministrative: true,
  isSecret: true,
  creates: true,
  file: 'bytes',
  largeBody: mostPictureBody,
  async handle({ ctx, creating, actor, params, files, signal }) {
    return creating(
      creatingCtx => create(creatingCtx, actor, params, { files, signal }),
      bot => ({
        user_id: bot.id,
        api_key: bot.api_key,
        avatar_url: avatarUrl(bot, bot.delivery_email, ctx.publicUrl),
        ...defaultChannels(ctx.directory, bot),
        default_all_public_streams: bot.default_all_public_streams,
      }),
    )
  },
})

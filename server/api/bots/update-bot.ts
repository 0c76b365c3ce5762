import { z } from 'zod'
import { role } from '../../../shared/resources/user.js'
import { updateBot as update } from '../../actions/bots/update-bot.js'
import { mostPictureBody } from '../../actions/pictures/stored-picture.js'
import { boolean, json, shortId } from '../../params/schemas.js'
import { humanMembers } from '../../policies/allow.js'
import { apiEmail } from '../../presenters/addresses.js'
import { avatarUrl } from '../../presenters/avatars.js'
import { defaultChannels } from '../../presenters/bot-object.js'
import { route } from '../route.js'
import { fullName } from '../users/account-params.js'
import { botId, channelName, defaultsFields, serviceInterface, serviceUrl, shortName } from './bot-params.js'

export const updateBot = route({
  operation: 'update_bot',
  method: 'PATCH',
  path: '/bots/{bot_id}',
  doc: 'Changes a bot, also a deactivated one; the form may have a new picture. For its owner and for administrators.',
  allow: humanMembers,
  params: z.object({
    bot_id: botId(),
    full_name: fullName().optional().describe('The displayed name; that of no active account.'),
    short_name: shortName()
      .optional()
      .describe('Makes its address `<short_name>-bot@` and the host of the organization.'),
    role: json(role)
      .optional()
      .describe(
        '100 owner, 200 administrator, 300 moderator, 400 member, 600 guest. Only owners may add and remove owners, only administrators may change it.',
      ),
    bot_owner_id: shortId().optional().describe('An active person, who owns it from now on.'),
    service_payload_url: serviceUrl().describe(
      'Where an outgoing webhook gets messages, an address of `http:` or `https:`.',
    ),
    service_interface: serviceInterface().describe(
      '1: the form of this server; 2: that of Slack. Counts only together with `service_payload_url`.',
    ),
    default_sending_stream: channelName().describe(
      'Name of the channel to which it writes where nothing else is said; empty: none.',
    ),
    default_events_register_stream: channelName().describe(
      'Name of the channel whose messages its queues receive where a registration says nothing else; empty: none.',
    ),
    default_all_public_streams: boolean()
      .optional()
      .describe('Its queues receive the messages of all public channels where a registration says nothing else.'),
  }),
  returns: z.object({
    full_name: z.string(),
    avatar_url: z.string(),
    service_interface: z.int().describe('As the parameter says.'),
    service_payload_url: z.string().nullable().describe('As the parameter says; null: it was not given.'),
    config_data: z.null(),
    ...defaultsFields,
    bot_owner: z.string().optional().describe('Address of the owner, if `bot_owner_id` was given.'),
  }),
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL', 'BAD_IMAGE'],
  isAdministrative: true,
  file: 'bytes',
  largeBody: mostPictureBody,
  async handle({ ctx, actor, params: { bot_id, ...given }, files, signal }) {
    const bot = await update(ctx, actor, bot_id, { update: given, files, signal })
    const { bot_owner_id: ownerId } = given
    const owner = ownerId === undefined ? undefined : ctx.directory.users.get(ownerId)
    return {
      full_name: bot.full_name,
      avatar_url: avatarUrl(bot, bot.delivery_email, ctx.publicUrl),
      service_interface: given.service_interface,
      service_payload_url: given.service_payload_url ?? null,
      config_data: null,
      ...defaultChannels(ctx.directory, bot),
      default_all_public_streams: bot.default_all_public_streams,
      ...(owner && { bot_owner: apiEmail(owner, ctx.realmHost) }),
    }
  },
})

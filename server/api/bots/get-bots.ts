import { z } from 'zod'
import { currentUser } from '../../lookups/find-user.js'
import { humanMembers } from '../../policies/allow.js'
import { ownActiveBots } from '../../policies/bots.js'
import { apiEmail } from '../../presenters/addresses.js'
import { avatarUrl } from '../../presenters/avatars.js'
import { defaultChannels } from '../../presenters/bot-object.js'
import { route } from '../route.js'
import { defaultsFields } from './bot-params.js'

export const getBots = route({
  operation: 'get_bots',
  method: 'GET',
  path: '/bots',
  doc: 'Returns your own active bots, with their API keys.',
  allow: humanMembers,
  params: z.object({}),
  returns: z.object({
    bots: z.array(
      z.object({
        user_id: z.int(),
        username: z.string().describe('Its address.'),
        full_name: z.string(),
        api_key: z.string(),
        avatar_url: z.string(),
        ...defaultsFields,
      }),
    ),
  }),
  errors: ['BAD_REQUEST'],
  isSecret: true,
  async handle({ ctx, actor }) {
    const { directory, publicUrl, realmHost } = ctx
    await directory.fresh()
    const bots = ownActiveBots(directory, currentUser(directory, actor.user)).map(bot => ({
      user_id: bot.id,
      username: apiEmail(bot, realmHost),
      full_name: bot.full_name,
      api_key: bot.api_key,
      avatar_url: avatarUrl(bot, bot.delivery_email, publicUrl),
      ...defaultChannels(directory, bot),
      default_all_public_streams: bot.default_all_public_streams,
    }))
    return { bots }
  },
})

import { z } from 'zod'
import { regenerateApiKey } from '../../actions/users/regenerate-api-key.js'
import { currentUser } from '../../lookups/find-user.js'
import { humanMembers } from '../../policies/allow.js'
import { botWithKey } from '../../policies/bots.js'
import { route } from '../route.js'
import { botId } from './bot-params.js'

export const regenerateBotApiKey = route({
  operation: 'regenerate_bot_api_key',
  method: 'POST',
  path: '/bots/{bot_id}/api_key/regenerate',
  doc: 'Replaces the API key of a bot; the former one no longer works when the answer comes. For its owner and for administrators; that of a bot with the role of an owner only for owners.',
  allow: humanMembers,
  params: z.object({ bot_id: botId() }),
  returns: z.object({ api_key: z.string() }),
  errors: ['BAD_REQUEST'],
  isAdministrative: true,
  isSecret: true,
  async handle({ ctx, actor, params: { bot_id } }) {
    const api_key = await regenerateApiKey(ctx, bot_id, directory => {
      botWithKey(directory, currentUser(directory, actor.user), bot_id)
    })
    return { api_key }
  },
})

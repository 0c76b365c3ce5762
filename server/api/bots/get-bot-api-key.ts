import { z } from 'zod'
import { currentUser } from '../../lookups/find-user.js'
import { humanMembers } from '../../policies/allow.js'
import { botWithKey } from '../../policies/bots.js'
import { route } from '../route.js'
import { botId } from './bot-params.js'

export const getBotApiKey = route({
  operation: 'get_bot_api_key',
  method: 'GET',
  path: '/bots/{bot_id}/api_key',
  doc: 'Returns the API key of a bot. For its owner and for administrators; that of a bot with the role of an owner only for owners.',
  allow: humanMembers,
  params: z.object({ bot_id: botId() }),
  returns: z.object({ api_key: z.string() }),
  errors: ['BAD_REQUEST'],
  isAdministrative: true,
  isSecret: true,
  async handle({ ctx: { directory }, actor, params: { bot_id } }) {
    await directory.fresh()
    return { api_key: botWithKey(directory, currentUser(directory, actor.user), bot_id).api_key }
  },
})

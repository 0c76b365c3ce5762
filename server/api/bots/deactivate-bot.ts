import { z } from 'zod'
import { deactivateOwnBot } from '../../actions/users/deactivate-bot.js'
import { humanMembers } from '../../policies/allow.js'
import { route } from '../route.js'
import { botId } from './bot-params.js'

export const deactivateBot = route({
  operation: 'deactivate_bot',
  method: 'DELETE',
  path: '/bots/{bot_id}',
  doc: 'Deactivates a bot, and ends its API key for good; again without effect. For its owner and for administrators.',
  allow: humanMembers,
  params: z.object({ bot_id: botId() }),
  returns: z.object({}),
  errors: ['BAD_REQUEST'],
  isAdministrative: true,
  async handle({ ctx, actor, params: { bot_id } }) {
    await deactivateOwnBot(ctx, actor, bot_id)
    return {}
  },
})

import { z } from 'zod'
import { noSuchKey } from '../../actions/bots/storage.js'
import { botsOnly } from '../../policies/allow.js'
import { readBotStorage } from '../../store/personal/bot-storage.js'
import { route } from '../route.js'
import { keysParam } from './storage-params.js'

export const getBotStorage = route({
  operation: 'get_bot_storage',
  method: 'GET',
  path: '/bot_storage',
  doc: "Returns entries of the bot's storage. The request fails if a key does not exist. For bots.",
  allow: botsOnly,
  params: z.object({ keys: keysParam }),
  returns: z.object({ storage: z.record(z.string(), z.string()) }),
  errors: ['PERMISSION_DENIED', 'BAD_REQUEST'],
  isSecret: true,
  async handle({ ctx, actor, params: { keys } }) {
    const storage = await readBotStorage(ctx.sql, actor.user.id, keys ?? null)
    if (keys?.some(key => !storage.has(key))) throw noSuchKey()
    return { storage: Object.fromEntries(storage) }
  },
})

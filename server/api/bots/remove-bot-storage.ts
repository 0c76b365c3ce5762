import { z } from 'zod'
import { removeBotStorage as remove } from '../../actions/bots/storage.js'
import { botsOnly } from '../../policies/allow.js'
import { route } from '../route.js'
import { keysParam } from './storage-params.js'

export const removeBotStorage = route({
  operation: 'remove_bot_storage',
  method: 'DELETE',
  path: '/bot_storage',
  doc: "Removes keys from the bot's storage; none if one of them does not exist. For bots.",
  allow: botsOnly,
  params: z.object({ keys: keysParam }),
  returns: z.object({}),
  errors: ['PERMISSION_DENIED', 'BAD_REQUEST'],
  // A key may be as long as the storage.
  largeBody: ({ botStorageCharacters }) => 2 * botStorageCharacters,
  async handle({ ctx, actor, params: { keys } }) {
    await remove(ctx, actor.user.id, keys ?? null)
    return {}
  },
})

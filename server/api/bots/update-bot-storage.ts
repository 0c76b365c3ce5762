import { z } from 'zod'
import { putBotStorage } from '../../actions/bots/storage.js'
import { botsOnly } from '../../policies/allow.js'
import { route } from '../route.js'
import { storageParam } from './storage-params.js'

export const updateBotStorage = route({
  operation: 'update_bot_storage',
  method: 'PUT',
  path: '/bot_storage',
  doc: "Adds and overwrites entries of the bot's storage, all or none. For bots.",
  allow: botsOnly,
  params: z.object({ storage: storageParam.describe('Keys and their values; values are text.') }),
  returns: z.object({}),
  errors: ['PERMISSION_DENIED', 'BAD_REQUEST'],
  // One request may fill the whole storage of a bot; the encoding may double its size.
  largeBody: ({ botStorageCharacters }) => 2 * botStorageCharacters,
  async handle({ ctx, actor, params: { storage } }) {
    await putBotStorage(ctx, actor.user.id, storage)
    return {}
  },
})

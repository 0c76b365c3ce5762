import { badRequest } from '../../../shared/errors.js'
import { codePoints } from '../../../shared/limits.js'
import { budgets } from '../../config/budgets.js'
import type { Ctx } from '../../ctx.js'
import { holdBotStorage, removeFromBotStorage, storedAmong, storeForBot } from '../../store/personal/bot-storage.js'

/**
 * Adds and overwrites keys in a bot's storage, all or none. The limit applies to the characters of keys and values.
 * @throws {ApiError} BAD_REQUEST if the total would exceed the limit; the message says by how much.
 */
export async function putBotStorage(ctx: Ctx, botId: number, storage: Readonly<Record<string, string>>): Promise<void> {
  const limit = ctx.config.botStorageCharacters
  const entries = Object.entries(storage)
  const added = entries.reduce((sum, [key, value]) => sum + codePoints(key) + codePoints(value), 0)
  await ctx.write(async tx => {
    const before = await holdBotStorage(tx, botId)
    const keys = entries.map(([key]) => key)
    const stored = await storedAmong(tx, botId, keys)
    const fresh = keys.length - stored.known
    if (fresh > 0 && stored.allKeys + fresh > budgets.storedKeys.most) {
      throw badRequest(`A bot may keep at most ${budgets.storedKeys.most} keys.`)
    }
    const characters = before - stored.characters + added
    if (characters > limit) {
      const excess = characters - limit
      throw badRequest(`Request exceeds storage limit by ${excess} characters. The limit is ${limit} characters.`)
    }
    await storeForBot(tx, botId, entries, characters)
  })
}

/** Null: all keys. @throws {ApiError} BAD_REQUEST if a key does not exist; then no key is removed. */
export async function removeBotStorage(ctx: Ctx, botId: number, keys: readonly string[] | null): Promise<void> {
  await ctx.write(async tx => {
    await holdBotStorage(tx, botId)
    const removed = await removeFromBotStorage(tx, botId, keys)
    if (keys && removed < new Set(keys).size) throw noSuchKey()
  })
}

export const noSuchKey = () => badRequest('Key does not exist.')

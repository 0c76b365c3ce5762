import type { Route } from '../route.js'
import { createBot } from './create-bot.js'
import { deactivateBot } from './deactivate-bot.js'
import { getBotApiKey } from './get-bot-api-key.js'
import { getBotStorage } from './get-bot-storage.js'
import { getBots } from './get-bots.js'
import { regenerateBotApiKey } from './regenerate-bot-api-key.js'
import { removeBotStorage } from './remove-bot-storage.js'
import { updateBot } from './update-bot.js'
import { updateBotStorage } from './update-bot-storage.js'

export const botsRoutes: readonly Route[] = [
  getBots,
  createBot,
  updateBot,
  deactivateBot,
  getBotApiKey,
  regenerateBotApiKey,
  getBotStorage,
  updateBotStorage,
  removeBotStorage,
]

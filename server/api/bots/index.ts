import type { Route } from '../route.js'
import { getBotStorage } from './get-bot-storage.js'
import { removeBotStorage } from './remove-bot-storage.js'
import { updateBotStorage } from './update-bot-storage.js'

export const botsRoutes: readonly Route[] = [getBotStorage, updateBotStorage, removeBotStorage]

import type { Route } from '../route.js'
import { getEmojiData } from './get-emoji-data.js'

export const settingsRoutes: readonly Route[] = [getEmojiData]

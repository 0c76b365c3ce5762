import type { Route } from '../route.js'
import { deactivateCustomEmoji } from './deactivate-custom-emoji.js'
import { getCustomEmoji } from './get-custom-emoji.js'
import { uploadCustomEmoji } from './upload-custom-emoji.js'

export const emojiRoutes: readonly Route[] = [getCustomEmoji, uploadCustomEmoji, deactivateCustomEmoji]

import type { Route } from '../route.js'
import { sendMessageRoute } from './send-message.js'

export const messagesRoutes: readonly Route[] = [sendMessageRoute]

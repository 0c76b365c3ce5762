import type { Route } from '../route.js'
import { getMessage } from './get-message.js'
import { getMessages } from './get-messages.js'
import { sendMessageRoute } from './send-message.js'

export const messagesRoutes: readonly Route[] = [sendMessageRoute, getMessages, getMessage]

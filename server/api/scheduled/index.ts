import type { Route } from '../route.js'
import { createScheduledMessage } from './create-scheduled-message.js'
import { deleteScheduledMessage } from './delete-scheduled-message.js'
import { getScheduledMessages } from './get-scheduled-messages.js'
import { updateScheduledMessage } from './update-scheduled-message.js'

export const scheduledRoutes: readonly Route[] = [
  getScheduledMessages,
  createScheduledMessage,
  updateScheduledMessage,
  deleteScheduledMessage,
]

import type { SlackMethod } from '../method.js'
import { openConnection } from './apps.js'
import { authTest } from './auth.js'
import { channelMethods } from './channels.js'
import { chatMethods } from './chat.js'
import { conversationMethods } from './conversations.js'
import { fileMethods } from './files.js'
import { historyMethods } from './history.js'
import { reactionMethods } from './reactions.js'
import { userMethods } from './users.js'

/** All methods by their names. */
export const methods: ReadonlyMap<string, SlackMethod> = new Map(
  [
    openConnection,
    authTest,
    ...channelMethods,
    ...chatMethods,
    ...conversationMethods,
    ...fileMethods,
    ...historyMethods,
    ...reactionMethods,
    ...userMethods,
  ].map(method => [method.name, method]),
)

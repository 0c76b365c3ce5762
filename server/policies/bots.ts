import type { UserRow } from '../store/users/users.js'
import { ownsBot } from './accounts.js'
import { isAdministrator } from './roles.js'

const incomingWebhook = 2

/** Whether the viewer may configure the bot: its owner and administrators may. */
export const maySetUp = (viewer: UserRow, bot: UserRow): boolean =>
  bot.is_bot && !bot.is_system_bot && (isAdministrator(viewer) || ownsBot(viewer, bot))

/** An incoming-webhook bot may only send messages (docs/protocol/conventions.md#bots). */
export function isOpenTo(user: UserRow, operation: { readonly method: string; readonly path: string }): boolean {
  return user.bot_type !== incomingWebhook || (operation.method === 'POST' && operation.path === '/messages')
}

import { realmBotAdd, realmBotDelete } from '../../../shared/events/realm-bot.js'
import type { Directory } from '../../memory/directory.js'
import { maySetUp } from '../../policies/bots.js'
import { activeUsers } from '../../policies/users.js'
import { botObject, type ServerAddresses } from '../../presenters/bot-object.js'
import type { Emit } from '../../realtime/emission.js'
import type { UserRow } from '../../store/users/users.js'
import type { Sight } from './sight.js'

/** Emits realm_bot/add for a new bot to its owner and to administrators. */
export function notifyOfBot(emit: Emit, directory: Directory, bot: UserRow, addresses: ServerAddresses): void {
  const audience = directory.derived(activeUsers).filter(id => maySetUp(directory.users.get(id) as UserRow, bot))
  emit(realmBotAdd, { bot: botObject(directory, bot, addresses) }, audience)
}

/**
 * Administrators may configure all bots: a user who becomes an administrator, or no longer is one, receives the change for other users'
 * bots.
 */
export function notifyOfBotsInSight(emit: Emit, { before, after, viewerId }: Sight, addresses: ServerAddresses): void {
  const [was, is] = [before.users.get(viewerId), after.users.get(viewerId)]
  if (!was || !is) return
  const bots = [...after.users.values()].filter(user => maySetUp(was, user) !== maySetUp(is, user))
  if (bots.length === 0) return
  if (bots.some(bot => maySetUp(is, bot)))
    emit(realmBotAdd, { bots: bots.map(bot => botObject(after, bot, addresses)) }, [viewerId])
  else emit(realmBotDelete, { bots: bots.map(bot => ({ user_id: bot.id })) }, [viewerId])
}

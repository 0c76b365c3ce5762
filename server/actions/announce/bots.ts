import { realmBotAdd, realmBotDelete, realmBotUpdate } from '../../../shared/events/realm-bot.js'
import { realmUserUpdate } from '../../../shared/events/realm-user.js'
import type { Directory } from '../../memory/directory.js'
import { maySetUp } from '../../policies/bots.js'
import { activeUsers } from '../../policies/users.js'
import { botObject, defaultChannels, type ServerAddresses, servicesOf } from '../../presenters/bot-object.js'
import type { Emit } from '../../realtime/emission.js'
import type { UserRow } from '../../store/users/users.js'
import type { Sight } from './sight.js'

/** What may be configured of a bot, beside what every account has. */
export type BotField =
  | 'default_sending_stream'
  | 'default_events_register_stream'
  | 'default_all_public_streams'
  | 'services'

/** The active users who may configure the bot. */
const whoMaySetUp = (directory: Directory, bot: UserRow): number[] =>
  directory.derived(activeUsers).filter(id => maySetUp(directory.users.get(id) as UserRow, bot))

/** Emits realm_bot/add for a new bot to its owner and to administrators. */
export function notifyOfBot(emit: Emit, directory: Directory, bot: UserRow, addresses: ServerAddresses): void {
  emit(realmBotAdd, { bot: botObject(directory, bot, addresses) }, whoMaySetUp(directory, bot))
}

/** Emits what may be configured of a bot and has changed, one event for each field. */
export function notifyOfSetUp(emit: Emit, directory: Directory, bot: UserRow, fields: readonly BotField[]): void {
  const values = {
    ...defaultChannels(directory, bot),
    default_all_public_streams: bot.default_all_public_streams,
    services: servicesOf(bot),
  }
  const audience = whoMaySetUp(directory, bot)
  for (const field of fields) {
    const change = { [field]: values[field] } as Partial<typeof values>
    emit(realmBotUpdate, { bot: { user_id: bot.id, ...change } }, audience)
  }
}

/** Emits the owner of a bot to all users; who owned it may no longer configure it, and who owns it now may, unless they are administrators. */
export function notifyOfBotOwner(
  emit: Emit,
  ctx: ServerAddresses,
  directory: Directory,
  { before, after }: { readonly before: UserRow; readonly after: UserRow },
): void {
  const { id: user_id, bot_owner_id } = after
  if (bot_owner_id === null) return
  emit(realmUserUpdate, { person: { user_id, bot_owner_id } }, directory.derived(activeUsers))
  const [could, can] = [whoMaySetUp(directory, before), whoMaySetUp(directory, after)]
  emit(
    realmBotDelete,
    { bot: { user_id } },
    could.filter(id => !can.includes(id)),
  )
  emit(
    realmBotAdd,
    { bot: botObject(directory, after, ctx) },
    can.filter(id => !could.includes(id)),
  )
}

/** No user may configure this bot any more: it is deleted. */
export function notifyOfRemovedBot(emit: Emit, directory: Directory, bot: UserRow): void {
  emit(realmBotDelete, { bot: { user_id: bot.id } }, whoMaySetUp(directory, bot))
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

import { badRequest } from '../../shared/errors.js'
import type { Directory } from '../memory/directory.js'
import type { UserRow } from '../store/users/users.js'
import { ownsBot } from './accounts.js'
import { humanMembers } from './allow.js'
import { isInGroup, realmGroup } from './groups.js'
import { isAdministrator, isOwner } from './roles.js'

const incomingWebhook = 2

/** Whether the viewer may configure the bot: its owner and administrators may. */
export const maySetUp = (viewer: UserRow, bot: UserRow): boolean =>
  bot.is_bot && !bot.is_system_bot && (isAdministrator(viewer) || ownsBot(viewer, bot))

/** An incoming-webhook bot may only send messages (docs/protocol/conventions.md#bots). */
export function isOpenTo(user: UserRow, operation: { readonly method: string; readonly path: string }): boolean {
  return user.bot_type !== incomingWebhook || (operation.method === 'POST' && operation.path === '/messages')
}

const makers = ['can_create_bots_group'] as const
const makersOfSenders = [...makers, 'can_create_write_only_bots_group'] as const

/** People with can_create_bots_group make bots, those with can_create_write_only_bots_group incoming webhooks. @throws {ApiError} BAD_REQUEST */
export function requireMayCreateBot(directory: Directory, user: UserRow, botType: number): void {
  humanMembers({ user })
  const permissions = botType === incomingWebhook ? makersOfSenders : makers
  if (!user.is_active || !permissions.some(name => isInGroup(directory, user.id, realmGroup(directory, name))))
    throw badRequest('Insufficient permission')
}

/** A bot that the caller may configure. @throws {ApiError} BAD_REQUEST */
export function ownBot({ users }: Pick<Directory, 'users'>, caller: UserRow, id: number): UserRow {
  const bot = users.get(id)
  if (!bot?.is_bot || bot.is_system_bot || bot.is_deleted) throw badRequest('No such bot')
  if (!caller.is_active || !maySetUp(caller, bot)) throw badRequest('Insufficient permission')
  return bot
}

/** A holder of the key of a bot has its role, so the key of a bot with the role of an owner is for owners, and for the person who owns the bot. @throws {ApiError} BAD_REQUEST */
export function requireMayHoldKey(caller: UserRow, bot: UserRow): void {
  if (isOwner(bot) && !isOwner(caller) && !ownsBot(caller, bot)) throw badRequest('Insufficient permission')
}

/** A bot whose key the caller may have. @throws {ApiError} BAD_REQUEST */
export function botWithKey(directory: Pick<Directory, 'users'>, caller: UserRow, id: number): UserRow {
  const bot = ownBot(directory, caller, id)
  requireMayHoldKey(caller, bot)
  return bot
}

/** The person who gets a bot; undefined: it keeps its owner. @throws {ApiError} BAD_REQUEST */
export function changedOwner(
  { users }: Pick<Directory, 'users'>,
  caller: UserRow,
  bot: UserRow,
  id: number | undefined,
): UserRow | undefined {
  if (id === undefined || id === bot.bot_owner_id) return undefined
  requireMayHoldKey(caller, bot)
  const user = users.get(id)
  if (!user?.is_active || user.is_bot) throw badRequest('Failed to change owner, no such user')
  return user
}

/** The active bots that the person owns. */
export const ownActiveBots = ({ users }: Pick<Directory, 'users'>, person: UserRow): UserRow[] =>
  [...users.values()].filter(one => ownsBot(person, one) && one.is_active)

/** Whether the bot's server gets messages. */
export const isCalled = ({ is_active, service }: UserRow): boolean =>
  is_active && service !== null && service.base_url !== ''

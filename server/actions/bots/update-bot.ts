import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { currentUser } from '../../lookups/find-user.js'
import { requireMayChangeRole } from '../../policies/accounts.js'
import { changedOwner, ownBot } from '../../policies/bots.js'
import type { Tx } from '../../store/driver/db.js'
import { changeUsers, type UserChange } from '../../store/users/user-changes.js'
import type { BotService, UserRow } from '../../store/users/users.js'
import { checkedEmail, checkedFullName, requireUnusedEmail } from '../accounts/account-details.js'
import { type BotField, notifyOfBotOwner, notifyOfSetUp } from '../announce/bots.js'
import { type Avatar, avatarOf, exchangeFiles, notifyOfAvatar, withAvatar } from '../pictures/avatar.js'
import { notifyOfUpdate } from '../users/update-user.js'
import { botAddress, defaultChannel, noAddress, requireFreeBotName } from './checks.js'
import type { SentForm } from './create-bot.js'

interface BotUpdate {
  readonly full_name?: string | undefined
  readonly short_name?: string | undefined
  readonly role?: number | undefined
  readonly bot_owner_id?: number | undefined
  readonly service_payload_url?: string | undefined
  readonly service_interface: BotService['interface']
  /** Empty: none. */
  readonly default_sending_stream?: string | undefined
  readonly default_events_register_stream?: string | undefined
  readonly default_all_public_streams?: boolean | undefined
}

/**
 * Changes a bot for its owner or an administrator, all or nothing, and returns it.
 * @throws {ApiError} BAD_REQUEST, UNAUTHORIZED_PRINCIPAL, BAD_IMAGE, SERVER_NOT_READY
 */
export async function updateBot(
  ctx: Ctx,
  actor: Actor,
  botId: number,
  { update, ...form }: SentForm & { readonly update: BotUpdate },
): Promise<UserRow> {
  const { directory } = ctx
  await directory.fresh()
  ownBot(directory, currentUser(directory, actor.user), botId)
  const change = async (avatar?: Avatar) => {
    const after = await ctx.write(async (tx, emit) => {
      await directory.hold(tx, 'change')
      const before = ownBot(directory, currentUser(directory, actor.user), botId)
      const decided = { ...(await decide(ctx, tx, actor, { before, update })), ...(avatar && avatarOf(before, avatar)) }
      if (Object.keys(decided).length === 0) return before
      const [bot] = (await changeUsers(tx, [before], decided)) as [UserRow]
      await notifyOfUpdate(ctx, tx, emit, { before, user: bot })
      if (avatar) {
        await exchangeFiles(tx, before, avatar)
        await notifyOfAvatar(ctx, tx, emit, bot)
      }
      if ('bot_owner_id' in decided) notifyOfBotOwner(emit, ctx, directory, { before, after: bot })
      notifyOfSetUp(emit, directory, bot, changedFields(decided))
      return bot
    })
    directory.adopt({ users: [after] })
    return after
  }
  return form.files.length === 0 ? change() : withAvatar(ctx, { account: actor.user.id, ...form }, change)
}

/** The fields of the update that differ, and the given default channels, checked in the order of the parameters. */
async function decide(
  ctx: Ctx,
  tx: Tx,
  actor: Actor,
  { before, update }: { readonly before: UserRow; readonly update: BotUpdate },
): Promise<UserChange> {
  const { directory } = ctx
  const caller = currentUser(directory, actor.user)
  const change: UserChange = {}
  if (update.full_name !== undefined) {
    const name = checkedFullName(update.full_name)
    if (name !== before.full_name) {
      requireFreeBotName(directory, name, before.id, caller)
      change.full_name = name
    }
  }
  if (update.short_name !== undefined) {
    const email = checkedEmail(botAddress(ctx, update.short_name))
    if (email !== before.delivery_email) {
      await requireUnusedEmail(tx, directory, email, before.id)
      change.delivery_email = email
    }
  }
  const { role } = update
  if (role !== undefined && role !== before.role) {
    requireMayChangeRole(directory, caller, before, role)
    change.role = role
  }
  const owner = changedOwner(directory, caller, before, update.bot_owner_id)
  if (owner) change.bot_owner_id = owner.id
  if (update.service_payload_url !== undefined) {
    const service = changedService(before, update.service_payload_url, update.service_interface)
    if (service) change.service = service
  }
  for (const field of ['default_sending_stream', 'default_events_register_stream'] as const)
    if (update[field] !== undefined)
      change[`${field}_id` as const] = await defaultChannel(ctx, tx, actor, update[field])
  const { default_all_public_streams } = update
  if (default_all_public_streams !== undefined && default_all_public_streams !== before.default_all_public_streams)
    change.default_all_public_streams = default_all_public_streams
  return change
}

/** Undefined: it stays as it is. @throws {ApiError} BAD_REQUEST */
function changedService({ service }: UserRow, base_url: string, form: BotService['interface']): BotService | undefined {
  if (!service) throw noAddress()
  return service.base_url === base_url && service.interface === form
    ? undefined
    : { ...service, base_url, interface: form }
}

function changedFields(change: UserChange): BotField[] {
  const given = {
    default_sending_stream: change.default_sending_stream_id,
    default_events_register_stream: change.default_events_register_stream_id,
    default_all_public_streams: change.default_all_public_streams,
    services: change.service,
  }
  return (Object.keys(given) as BotField[]).filter(field => given[field] !== undefined)
}

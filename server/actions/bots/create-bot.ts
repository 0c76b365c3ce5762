import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import type { GoneSignal } from '../../images/picture-queue.js'
import { currentUser } from '../../lookups/find-user.js'
import type { FilePart } from '../../params/file-part.js'
import { requireMayCreateBot } from '../../policies/bots.js'
import { member } from '../../policies/roles.js'
import { adoptFile } from '../../store/files/loose-files.js'
import type { BotService, UserRow } from '../../store/users/users.js'
import { checkedEmail, checkedFullName } from '../accounts/account-details.js'
import type { BotSetUp } from '../accounts/new-account.js'
import { newApiKey } from '../accounts/new-secrets.js'
import { join } from '../joining/join.js'
import { type Avatar, withAvatar } from '../pictures/avatar.js'
import { botAddress, defaultChannel, noAddress, outgoingWebhook, requireFreeBotName } from './checks.js'

interface BotDraft {
  readonly full_name: string
  readonly short_name: string
  readonly bot_type: number
  readonly payload_url?: string | undefined
  readonly interface_type: BotService['interface']
  readonly default_sending_stream?: string | undefined
  readonly default_events_register_stream?: string | undefined
  readonly default_all_public_streams: boolean
}

/** The form of a request, as far as it has a picture. */
export interface SentForm {
  readonly files: readonly FilePart[]
  readonly signal: GoneSignal
}

/** Makes a bot of the caller; it is in no channel. @throws {ApiError} BAD_REQUEST, BAD_IMAGE, SERVER_NOT_READY */
export async function createBot(ctx: Ctx, actor: Actor, draft: BotDraft, form: SentForm): Promise<UserRow> {
  const { directory } = ctx
  await directory.fresh()
  requireMayCreateBot(directory, currentUser(directory, actor.user), draft.bot_type)
  const named = {
    email: checkedEmail(botAddress(ctx, draft.short_name)),
    fullName: checkedFullName(draft.full_name),
  }
  const setUp: BotSetUp = {
    bot_type: draft.bot_type,
    service: serviceOf(draft),
    default_sending_stream_id: await defaultChannel(ctx, ctx.sql, actor, draft.default_sending_stream),
    default_events_register_stream_id: await defaultChannel(ctx, ctx.sql, actor, draft.default_events_register_stream),
    default_all_public_streams: draft.default_all_public_streams,
  }
  const made = (avatar?: Avatar) => {
    const { keys, ...picture }: Partial<Avatar> = avatar ?? {}
    const bot = { ownerId: actor.user.id, setUp: { ...setUp, ...picture } }
    return join(ctx, { ...named, passwordHash: null, bot }, ({ tx }) => {
      const caller = currentUser(directory, actor.user)
      requireMayCreateBot(directory, caller, draft.bot_type)
      requireFreeBotName(directory, named.fullName, null, caller)
      const adopt = async () => {
        for (const key of keys ?? []) await adoptFile(tx, key)
      }
      return { role: member, channels: { withDefaults: false, ids: [] }, isQuiet: true, made: adopt }
    })
  }
  return form.files.length === 0 ? made() : withAvatar(ctx, { account: actor.user.id, ...form }, made)
}

/** @throws {ApiError} BAD_REQUEST */
function serviceOf({ bot_type, payload_url, interface_type }: BotDraft): BotService | null {
  if (bot_type === outgoingWebhook)
    return { base_url: payload_url ?? '', interface: interface_type, token: newApiKey() }
  if (payload_url !== undefined) throw noAddress()
  return null
}

import { badRequest } from '../../../shared/errors.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { findChannel, isSubscribedTo } from '../../lookups/find-channel.js'
import { currentUser } from '../../lookups/find-user.js'
import { ownsBot } from '../../policies/accounts.js'
import { mayPost } from '../../policies/channel-permissions.js'
import type { ChannelRow } from '../../store/channels/channels.js'
import {
  channelAddressGeneration,
  endChannelAddresses,
  type MailToChannel,
  storeChannelAddress,
} from '../../store/incoming-mail/mail-addresses.js'
import type { UserRow } from '../../store/users/users.js'
import { emailGateway } from '../messages/system-bots.js'
import { channelAddressOf, tokenOf } from './mail-address.js'

interface Asked {
  readonly channelId: number
  /** The account whose message a mail becomes; undefined: the email gateway bot. */
  readonly senderId: number | undefined
}

/**
 * The address of a channel for the caller and the sender; it stays the same until it is replaced. Empty: the server receives no mail.
 * @throws {ApiError} BAD_REQUEST: the caller may not post there, or not with this sender
 */
export async function channelAddress(ctx: Ctx, actor: Actor, asked: Asked): Promise<string> {
  const { channel, target } = await targetOf(ctx, actor, asked)
  if (!ctx.config.incomingMail) return ''
  const found = await channelAddressGeneration(ctx.sql, target)
  const generation = found ?? 0
  const token = tokenFor(ctx, target, generation)
  if (found === undefined) await storeChannelAddress(ctx.sql, token, { ...target, generation })
  return channelAddressOf(ctx, token, channel.name)
}

/**
 * Replaces the address of a channel for the caller and the sender: mail to the former one is refused from now on. Returns the new one; empty: the
 * server receives no mail.
 * @throws {ApiError} BAD_REQUEST: as `channelAddress`
 */
export async function renewChannelAddress(ctx: Ctx, actor: Actor, asked: Asked): Promise<string> {
  const { channel, target } = await targetOf(ctx, actor, asked)
  if (!ctx.config.incomingMail) return ''
  const token = await ctx.write(async tx => {
    const generation = ((await channelAddressGeneration(tx, target)) ?? 0) + 1
    const made = tokenFor(ctx, target, generation)
    await storeChannelAddress(tx, made, { ...target, generation })
    await endChannelAddresses(tx, { ...target, generation })
    return made
  })
  return channelAddressOf(ctx, token, channel.name)
}

async function targetOf(
  ctx: Ctx,
  actor: Actor,
  { channelId, senderId }: Asked,
): Promise<{ readonly channel: ChannelRow; readonly target: MailToChannel }> {
  const { channel } = await findChannel(ctx, ctx.sql, actor, { channelId, need: 'metadata' })
  const user = currentUser(ctx.directory, actor.user)
  await requireMayPost(ctx, user, channel)
  const sender_id = await senderOf(ctx, user, senderId)
  return { channel, target: { purpose: 'channel', user_id: user.id, sender_id, channel_id: channel.id } }
}

/** The first address has no number: those of versions before had none. */
const tokenFor = (ctx: Ctx, { channel_id, user_id, sender_id }: MailToChannel, generation: number): string =>
  tokenOf(ctx, 'channel', channel_id, user_id, sender_id ?? 0, ...(generation === 0 ? [] : [generation]))

async function requireMayPost(ctx: Ctx, user: UserRow, channel: ChannelRow): Promise<void> {
  const owner = user.bot_owner_id
  const refusal = mayPost(ctx.directory, user, channel, {
    subscribed: await isSubscribedTo(ctx, user.id, channel.id),
    ownerSubscribed: owner !== null && (await isSubscribedTo(ctx, owner, channel.id)),
  })
  if (refusal !== null) throw badRequest(refusal)
}

/** Null: the email gateway bot. */
async function senderOf(ctx: Ctx, user: UserRow, senderId: number | undefined): Promise<number | null> {
  if (senderId === undefined) return null
  if (senderId === user.id) return user.id
  const sender = ctx.directory.users.get(senderId)
  if (sender?.is_active && ownsBot(user, sender)) return sender.id
  if (sender?.is_system_bot && sender.id === (await emailGateway(ctx)).id) return null
  throw badRequest('Invalid sender ID')
}

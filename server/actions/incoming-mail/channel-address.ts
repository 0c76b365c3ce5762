import { badRequest } from '../../../shared/errors.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { findChannel, isSubscribedTo } from '../../lookups/find-channel.js'
import { currentUser } from '../../lookups/find-user.js'
import { ownsBot } from '../../policies/accounts.js'
import { mayPost } from '../../policies/channel-permissions.js'
import type { ChannelRow } from '../../store/channels/channels.js'
import { storeChannelAddress } from '../../store/incoming-mail/mail-addresses.js'
import type { UserRow } from '../../store/users/users.js'
import { emailGateway } from '../messages/system-bots.js'
import { channelAddressOf, tokenOf } from './mail-address.js'

interface Asked {
  readonly channelId: number
  /** The account whose message a mail becomes; undefined: the email gateway bot. */
  readonly senderId: number | undefined
}

/**
 * The address of a channel for the caller and the sender; it stays the same. Empty: the server receives no mail.
 * @throws {ApiError} BAD_REQUEST: the caller may not post there, or not with this sender
 */
export async function channelAddress(ctx: Ctx, actor: Actor, { channelId, senderId }: Asked): Promise<string> {
  const { channel } = await findChannel(ctx, ctx.sql, actor, { channelId, need: 'metadata' })
  const user = currentUser(ctx.directory, actor.user)
  await requireMayPost(ctx, user, channel)
  const sender_id = await senderOf(ctx, user, senderId)
  if (!ctx.config.incomingMail) return ''
  const token = tokenOf(ctx, 'channel', channel.id, user.id, sender_id ?? 0)
  await storeChannelAddress(ctx.sql, token, {
    purpose: 'channel',
    user_id: user.id,
    sender_id,
    channel_id: channel.id,
  })
  return channelAddressOf(ctx, token, channel.name)
}

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

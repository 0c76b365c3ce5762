import { badRequest } from '../../../shared/errors.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { findChannel } from '../../lookups/find-channel.js'
import { currentUser } from '../../lookups/find-user.js'
import { mayAdminister } from '../../policies/channel-permissions.js'
import { updateChannel } from '../../store/channels/channels.js'
import { bumpVersion } from '../../store/organization/organization.js'
import { notifyOfUpdate } from '../announce/channel-update.js'
import { sendNotices, silently } from '../messages/notification-bot.js'
import { channelEvents } from './channel-events.js'
import { markChannelRead } from './mark-channel-read.js'
import { previewChannel } from './preview-channel.js'

/**
 * Archives a channel: subscriptions and messages stay, posting is disabled, new members are no longer subscribed. Marks its unread messages
 * as read in the background; `read` resolves afterwards. No effect on an archived channel.
 * @throws {ApiError} BAD_REQUEST
 */
export async function archiveChannel(ctx: Ctx, actor: Actor, channelId: number): Promise<{ read: Promise<void> }> {
  const { directory } = ctx
  const done = await ctx.write(async (tx, emit) => {
    await directory.hold(tx, 'change')
    const { channel: was } = await findChannel(ctx, tx, actor, channelId, 'metadata')
    const user = currentUser(directory, actor.user)
    if (!mayAdminister(directory, user, was)) throw badRequest('You do not have permission to administer this channel.')
    if (was.is_archived) return undefined
    const version = await bumpVersion(tx)
    await updateChannel(tx, was.id, { is_archived: true, is_default: false }, version)
    const { after, channel: is } = await previewChannel(tx, directory, was.id, version)
    await notifyOfUpdate(ctx, tx, emit, { before: directory, after, was, is })
    return { notices: channelEvents(after, is, [`${silently(user)} archived this channel.`]) }
  })
  if (!done) return { read: Promise.resolve() }
  await sendNotices(ctx, done.notices)
  return { read: markChannelRead(ctx, channelId) }
}

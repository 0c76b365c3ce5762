import { badRequest } from '../../../shared/errors.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { markChannelRead as readChannel } from '../../job-types/mark-channel-read.js'
import { addNotices, channelKey } from '../../job-types/notice.js'
import { findChannel } from '../../lookups/find-channel.js'
import { currentUser } from '../../lookups/find-user.js'
import { mayAdminister } from '../../policies/channel-permissions.js'
import { updateChannel } from '../../store/channels/channels.js'
import { bumpVersion } from '../../store/organization/organization.js'
import { notifyOfUpdate } from '../announce/channel-update.js'
import { silently } from '../messages/notice-mentions.js'
import { channelEvents } from './channel-events.js'
import { previewChannel } from './preview-channel.js'

/**
 * Archives a channel: subscriptions and messages stay, posting is disabled, new members are no longer subscribed. Then its
 * unread messages become read. No effect on an archived channel.
 * @throws {ApiError} BAD_REQUEST
 */
export async function archiveChannel(ctx: Ctx, actor: Actor, channelId: number): Promise<void> {
  const { directory } = ctx
  await ctx.write(async (tx, emit, { after: afterwards }) => {
    await directory.hold(tx, 'change')
    const { channel: was } = await findChannel(ctx, tx, actor, { channelId, need: 'metadata' })
    const user = currentUser(directory, actor.user)
    if (!mayAdminister(directory, user, was)) throw badRequest('You do not have permission to administer this channel.')
    if (was.is_archived) return
    const version = await bumpVersion(tx)
    await updateChannel(tx, was.id, { is_archived: true, is_default: false }, version)
    const { after, channel: is } = await previewChannel(tx, directory, was.id, version)
    await notifyOfUpdate(ctx, tx, emit, { before: directory, after, was, is })
    addNotices(afterwards, channelEvents(after, is, [`${silently(user)} archived this channel.`]))
    afterwards(readChannel, { channel: was.id }, { key: channelKey(was.id) })
  })
}

import { badRequest } from '../../../shared/errors.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { markChannelRead as readChannel } from '../../job-types/mark-channel-read.js'
import { addNotices, channelKey } from '../../job-types/notice.js'
import { holdChannel } from '../../lookups/hold-subscribers.js'
import { mayAdminister } from '../../policies/channel-permissions.js'
import { updateChannel } from '../../store/channels/channels.js'
import { bumpVersion } from '../../store/organization/organization.js'
import { notifyOfUpdate } from '../announce/channel-update.js'
import { updateNotices } from './update-notices.js'

/**
 * Archives a channel: subscriptions and messages stay, posting is disabled, new members are no longer subscribed. Then its
 * unread messages become read. No effect on an archived channel.
 * @throws {ApiError} BAD_REQUEST
 */
export async function archiveChannel(ctx: Ctx, actor: Actor, channelId: number): Promise<void> {
  const { directory } = ctx
  const archived = await ctx.write(async (tx, emit, { after: afterwards }) => {
    const { channel: was, user, subscribers } = await holdChannel(ctx, tx, actor, channelId)
    if (!mayAdminister(directory, user, was)) throw badRequest('You do not have permission to administer this channel.')
    if (was.is_archived) return []
    const is = await updateChannel(tx, was.id, { is_archived: true, is_default: false }, await bumpVersion(tx))
    if (!is) throw new Error('the channel that was locked is not there')
    const after = directory.preview({ channels: [is] })
    await notifyOfUpdate(ctx, tx, emit, { before: directory, after, was, is, subscribers })
    addNotices(afterwards, updateNotices(after, user, was, is))
    afterwards(readChannel, { channel: was.id }, { key: channelKey(was.id) })
    return [is]
  })
  directory.adopt({ channels: archived })
}

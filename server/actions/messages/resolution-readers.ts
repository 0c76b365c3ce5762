import { visibilityPolicy } from '../../../shared/resources/user-topic.js'
import type { Ctx } from '../../ctx.js'
import { userSetting } from '../../policies/settings.js'
import { policiesOfTopic } from '../../store/topics/user-topics.js'

/** Users who keep the notice of a resolved topic unread (resolved_topic_notice_auto_read_policy). */
export async function resolutionUnreadOf(
  ctx: Ctx,
  { channel: channelId, topic }: { readonly channel: number; readonly topic: string },
): Promise<number[]> {
  const audience = (await ctx.memory.subscribers.audienceOf(channelId))?.userIds ?? []
  const policies = await policiesOfTopic(ctx.sql, { channelId, topic }, null)
  return audience.filter(id => {
    const user = ctx.directory.users.get(id)
    const autoRead = user && userSetting(user, 'resolved_topic_notice_auto_read_policy')
    return autoRead === 'never' || (autoRead === 'except_followed' && policies.get(id) === visibilityPolicy.followed)
  })
}

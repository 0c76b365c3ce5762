import type { Ctx } from '../../ctx.js'
import { realmSetting } from '../../policies/settings.js'
import type { UserRow } from '../../store/users/users.js'
import { sendNotices, silently } from '../messages/notification-bot.js'

const topic = 'signups'

/** The notification bot announces a new user in the organization's channel for that, if one is set. */
export async function announceJoining(ctx: Ctx, user: UserRow): Promise<void> {
  const channel = ctx.directory.channels.get(realmSetting(ctx.directory, 'signup_announcements_stream_id'))
  if (!channel || channel.is_archived) return
  const content = `${silently(user)} joined this organization.`
  await sendNotices(ctx, [{ to: { channel: channel.id, topic }, content }])
}

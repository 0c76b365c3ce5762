import type { Notice } from '../../job-types/notice.js'
import type { Directory } from '../../memory/directory.js'
import { realmSetting } from '../../policies/settings.js'
import type { UserRow } from '../../store/users/users.js'
import { silently } from '../messages/notice-mentions.js'

const topic = 'signups'

/** The notification bot announces a new user in the organization's channel for that, if one is set. */
export function joiningNotices(directory: Directory, user: UserRow): Notice[] {
  const channel = directory.channels.get(realmSetting(directory, 'signup_announcements_stream_id'))
  if (!channel || channel.is_archived) return []
  return [{ to: { channel: channel.id, topic }, content: `${silently(user)} joined this organization.` }]
}

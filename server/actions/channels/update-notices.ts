import type { Notice } from '../../job-types/notice.js'
import type { Directory } from '../../memory/directory.js'
import type { ChannelRow } from '../../store/channels/channels.js'
import type { UserRow } from '../../store/users/users.js'
import { privacyOf } from '../announce/channel-update.js'
import { inBold, silently } from '../messages/notice-mentions.js'
import { channelEvents } from './channel-events.js'

const privacyWords: Readonly<Record<string, string>> = {
  'web-public': 'Web-public',
  public: 'Public',
  shared: 'Private, shared history',
  protected: 'Private, protected history',
}

/** The notification bot's messages to the subscribers about a changed channel. */
export function updateNotices(after: Directory, user: UserRow, was: ChannelRow, is: ChannelRow): Notice[] {
  const who = silently(user)
  const contents: string[] = []
  if (was.name !== is.name) contents.push(`${who} renamed channel ${inBold(was.name)} to ${inBold(is.name)}.`)
  if (was.description !== is.description) {
    const [before, now] = [was.description, is.description].map(text => (text === '' ? '*No description.*' : text))
    contents.push(
      `${who} changed the description for this channel.\n\nOld description:\n\n> ${before}\n\nNew description:\n\n> ${now}`,
    )
  }
  if (privacyOf(was) !== privacyOf(is)) {
    const [before, now] = [was, is].map(channel => privacyWords[privacyOf(channel)])
    contents.push(`${who} changed the access permissions for this channel from **${before}** to **${now}**.`)
  }
  if (was.message_retention_days !== is.message_retention_days) {
    const [before, now] = [was, is].map(retention)
    contents.push(`${who} changed the message retention period for this channel from **${before}** to **${now}**.`)
  }
  if (was.is_archived && !is.is_archived) contents.push(`${who} unarchived this channel.`)
  return channelEvents(after, is, contents)
}

function retention({ message_retention_days: days }: ChannelRow): string {
  if (days === null) return 'Organization default'
  if (days === -1) return 'Forever'
  return days === 1 ? '1 day' : `${days} days`
}

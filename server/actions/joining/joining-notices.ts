import type { Notice } from '../../job-types/notice.js'
import type { Directory } from '../../memory/directory.js'
import { realmSetting } from '../../policies/settings.js'
import type { UserRow } from '../../store/users/users.js'
import { inBold, silently } from '../messages/notice-mentions.js'

const topic = 'signups'

/** The notification bot announces a new user in the organization's channel for that, if one is set. The first user has no readers. */
export function signUpNotices(directory: Directory, user: UserRow): Notice[] {
  const channel = directory.channels.get(realmSetting(directory, 'signup_announcements_stream_id'))
  const isFirst = ![...directory.users.values()].some(one => one.is_active && !one.is_bot && one.id !== user.id)
  if (!channel || channel.is_archived || isFirst) return []
  return [{ to: { channel: channel.id, topic }, content: `${silently(user)} joined this organization.` }]
}

/** The notification bot tells the inviter that its invitation was accepted. */
export const acceptanceNotice = (inviter: UserRow, user: UserRow): Notice => ({
  to: { people: [inviter.id] },
  content: `${silently(user)} accepted your invitation to join this organization.`,
})

/** The welcome bot greets the user; a second message has the text that the administrators wrote, if there is one. */
export function welcomeNotices({ organization }: Directory, user: UserRow, customText: string): Notice[] {
  const to = { people: [user.id] }
  const greeting = [
    `Hello, and welcome to ${inBold(organization.name)}!`,
    '',
    'A few first steps:',
    '* Fill in your profile, with a picture, so that others recognize you.',
    '* Look at the channels in the list on the left, and join those that concern you.',
    '* Begin a topic in a channel: a short name for what the conversation is about.',
    '',
    'Write `help` to me, and I say what else I can tell you.',
  ]
  const texts = [greeting.join('\n'), ...(customText.trim() === '' ? [] : [customText])]
  return texts.map(content => ({ to, content, isWelcome: true }))
}

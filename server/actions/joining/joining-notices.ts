import type { Notice } from '../../job-types/notice.js'
import type { Directory } from '../../memory/directory.js'
import { realmSetting } from '../../policies/settings.js'
import type { UserRow } from '../../store/users/users.js'
import type { InLanguages } from '../../text/page-language.js'
import { inBold, silently } from '../messages/notice-mentions.js'
import { languageOfChannels, languageOfReader } from '../notice-language.js'

interface Words {
  readonly topic: string
  readonly joined: (who: string) => string
  readonly accepted: (who: string) => string
  readonly welcome: (organization: string) => readonly string[]
}

const inLanguages: InLanguages<Words> = {
  en: {
    topic: 'signups',
    joined: who => `${who} joined this organization.`,
    accepted: who => `${who} accepted your invitation to join this organization.`,
    welcome: organization => [
      `Hello, and welcome to ${organization}!`,
      '',
      'A few first steps:',
      '* Fill in your profile, with a picture, so that others recognize you.',
      '* Look at the channels in the list on the left, and join those that concern you.',
      '* Begin a topic in a channel: a short name for what the conversation is about.',
      '',
      'Write `help` to me, and I say what else I can tell you.',
    ],
  },
  de: {
    topic: 'neue Leute',
    joined: who => `${who} ist der Organisation beigetreten.`,
    accepted: who => `${who} hat deine Einladung in diese Organisation angenommen.`,
    welcome: organization => [
      `Hallo und willkommen bei ${organization}!`,
      '',
      'Ein paar erste Schritte:',
      '* Fülle dein Profil aus, mit einem Bild, damit andere dich erkennen.',
      '* Sieh dir die Kanäle in der Liste links an, und tritt denen bei, die dich betreffen.',
      '* Beginne in einem Kanal ein Thema: ein kurzer Name dafür, worum es geht.',
      '',
      'Schreib mir `Hilfe`, und ich sage dir, was ich sonst noch weiß.',
    ],
  },
}

/** The notification bot announces a new user in the organization's channel for that, if one is set. The first user has no readers. */
export function signUpNotices(directory: Directory, user: UserRow): Notice[] {
  const channel = directory.channels.get(realmSetting(directory, 'signup_announcements_stream_id'))
  const isFirst = ![...directory.users.values()].some(one => one.is_active && !one.is_bot && one.id !== user.id)
  if (!channel || channel.is_archived || isFirst) return []
  const { topic, joined } = inLanguages[languageOfChannels(directory)]
  return [{ to: { channel: channel.id, topic }, content: joined(silently(user)) }]
}

/** The notification bot tells the inviter that its invitation was accepted. */
export const acceptanceNotice = (directory: Directory, inviter: UserRow, user: UserRow): Notice => ({
  to: { people: [inviter.id] },
  content: inLanguages[languageOfReader(directory, inviter)].accepted(silently(user)),
})

/** The welcome bot greets the user; a second message has the text that the administrators wrote, if there is one. */
export function welcomeNotices(directory: Directory, user: UserRow, customText: string): Notice[] {
  const to = { people: [user.id] }
  const greeting = inLanguages[languageOfReader(directory, user)].welcome(inBold(directory.organization.name))
  const texts = [greeting.join('\n'), ...(customText.trim() === '' ? [] : [customText])]
  return texts.map(content => ({ to, content, isWelcome: true }))
}

import type { MailLanguage, Sender, Template } from '../template.js'
import { dayIn } from '../times.js'

const link = ({ url }: Sender, key: string) => `${url}/accounts/do_confirm/${key}`

/** The day on which the link still works in every time zone. */
const day = (language: MailLanguage, seconds: number): string =>
  dayIn(new Date(seconds * 1000).toISOString(), language, 'Etc/GMT+12')

const until = {
  en: (expires: number | null) => (expires === null ? [] : [`The link works until ${day('en', expires)}.`]),
  de: (expires: number | null) => (expires === null ? [] : [`Der Link gilt bis ${day('de', expires)}.`]),
}

export const invitation: Template<'invitation'> = {
  en: ({ inviter, key, expires }, sender) => ({
    subject: `${inviter} invites you to ${sender.organization}`,
    body: [
      `${inviter} invites you to the chat of ${sender.organization}.`,
      { label: 'Open this link to make your account', link: link(sender, key) },
      ...until.en(expires),
      'If you do not know the sender, there is nothing to do.',
    ],
  }),
  de: ({ inviter, key, expires }, sender) => ({
    subject: `${inviter} lädt dich zu ${sender.organization} ein`,
    body: [
      `${inviter} lädt dich in den Chat von ${sender.organization} ein.`,
      { label: 'Öffne diesen Link, um dein Konto anzulegen', link: link(sender, key) },
      ...until.de(expires),
      'Wenn du den Absender nicht kennst, ist nichts zu tun.',
    ],
  }),
}

export const invitationReminder: Template<'invitation_reminder'> = {
  en: ({ inviter, key, expires }, sender) => ({
    subject: `Your invitation to ${sender.organization} ends soon`,
    body: [
      `${inviter} has invited you to the chat of ${sender.organization}, and the invitation ends soon.`,
      { label: 'Open this link to make your account', link: link(sender, key) },
      ...until.en(expires),
      'This is the only reminder.',
    ],
  }),
  de: ({ inviter, key, expires }, sender) => ({
    subject: `Deine Einladung zu ${sender.organization} endet bald`,
    body: [
      `${inviter} hat dich in den Chat von ${sender.organization} eingeladen, und die Einladung endet bald.`,
      { label: 'Öffne diesen Link, um dein Konto anzulegen', link: link(sender, key) },
      ...until.de(expires),
      'Dies ist die einzige Erinnerung.',
    ],
  }),
}

import type { Sender, Template } from '../template.js'

const dateOf = (time: string, language: string) =>
  new Date(time).toLocaleDateString(language, { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' })

export const organizationDeactivated: Template<'organization_deactivated'> = {
  en: ({ by, deletion_due }, { organization, url }) => ({
    subject: `${organization} is deactivated`,
    body: [
      `${by} has deactivated the organization ${organization} at ${url}. No account can sign in any more.`,
      deletion_due === null
        ? 'Its messages, files and accounts stay on the server.'
        : `On ${dateOf(deletion_due, 'en-GB')} all its messages, files and accounts are deleted for good. Backups that the operator of the server made are not affected.`,
      'The operator of the server can send the owners a link that activates it again, until its data are deleted.',
    ],
  }),
  de: ({ by, deletion_due }, { organization, url }) => ({
    subject: `${organization} ist deaktiviert`,
    body: [
      `${by} hat die Organisation ${organization} unter ${url} deaktiviert. Kein Konto kann sich mehr anmelden.`,
      deletion_due === null
        ? 'Ihre Nachrichten, Dateien und Konten bleiben auf dem Server.'
        : `Am ${dateOf(deletion_due, 'de')} werden alle ihre Nachrichten, Dateien und Konten endgültig gelöscht. Sicherungen, die der Betreiber des Servers gemacht hat, sind davon nicht betroffen.`,
      'Der Betreiber des Servers kann den Eigentümern einen Link senden, der sie wieder aktiviert, solange ihre Daten nicht gelöscht sind.',
    ],
  }),
}

const link = ({ url }: Sender, key: string) => `${url}/reactivate/${key}`

export const organizationReactivation: Template<'organization_reactivation'> = {
  en: ({ key }, sender) => ({
    subject: `Activate ${sender.organization} again`,
    body: [
      `The operator of the server offers to activate the organization ${sender.organization} again.`,
      { label: 'Open this link within a day to do so', link: link(sender, key) },
      'All accounts can then sign in again, and nothing is deleted. If you do not want that, there is nothing to do.',
    ],
  }),
  de: ({ key }, sender) => ({
    subject: `${sender.organization} wieder aktivieren`,
    body: [
      `Der Betreiber des Servers bietet an, die Organisation ${sender.organization} wieder zu aktivieren.`,
      { label: 'Öffne dazu innerhalb eines Tages diesen Link', link: link(sender, key) },
      'Alle Konten können sich dann wieder anmelden, und nichts wird gelöscht. Wenn du das nicht willst, ist nichts zu tun.',
    ],
  }),
}

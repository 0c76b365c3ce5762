import type { Sender, Template } from '../template.js'

const link = ({ url }: Sender, key: string) => `${url}/accounts/do_confirm/${key}`

export const join: Template<'join'> = {
  en: ({ key }, sender) => ({
    subject: `Finish signing up at ${sender.organization}`,
    body: [
      `You want to sign up at ${sender.organization} with this address.`,
      { label: 'Open this link within a day to go on', link: link(sender, key) },
      'If you did not want that, there is nothing to do.',
    ],
  }),
  de: ({ key }, sender) => ({
    subject: `Schließe die Registrierung bei ${sender.organization} ab`,
    body: [
      `Du willst dich mit dieser Adresse bei ${sender.organization} registrieren.`,
      { label: 'Öffne innerhalb eines Tages diesen Link, um weiterzumachen', link: link(sender, key) },
      'Wenn du das nicht wolltest, ist nichts zu tun.',
    ],
  }),
}

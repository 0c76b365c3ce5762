import type { Sender, Template } from '../template.js'

const link = ({ url }: Sender, userId: number, key: string) => `${url}/accounts/password/reset/${userId}/${key}/`

export const passwordLink: Template<'password_link'> = {
  en: ({ account, userId, key }, sender) => ({
    subject: `A new password at ${sender.organization}`,
    body: [
      `You, or another person, wanted a new password for the account ${account} at ${sender.organization}.`,
      { label: 'Open this link within three days to set one', link: link(sender, userId, key) },
      'If you did not want that, there is nothing to do: the present password stays.',
    ],
  }),
  de: ({ account, userId, key }, sender) => ({
    subject: `Ein neues Passwort bei ${sender.organization}`,
    body: [
      `Du oder eine andere Person wollte ein neues Passwort für das Konto ${account} bei ${sender.organization}.`,
      { label: 'Öffne innerhalb von drei Tagen diesen Link, um eines zu setzen', link: link(sender, userId, key) },
      'Wenn du das nicht wolltest, ist nichts zu tun: das jetzige Passwort bleibt.',
    ],
  }),
}

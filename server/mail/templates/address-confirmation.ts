import type { Sender, Template } from '../template.js'

const link = ({ url }: Sender, key: string) => `${url}/accounts/confirm_new_email/${key}`

export const addressConfirmation: Template<'address_confirmation'> = {
  en: ({ account, key }, sender) => ({
    subject: `Confirm your new address at ${sender.organization}`,
    body: [
      `The account ${account} at ${sender.organization} wants to have this address.`,
      { label: 'If it is yours, open this link within a day', link: link(sender, key) },
      'Otherwise there is nothing to do.',
    ],
  }),
  de: ({ account, key }, sender) => ({
    subject: `Bestätige deine neue Adresse bei ${sender.organization}`,
    body: [
      `Das Konto ${account} bei ${sender.organization} soll diese Adresse bekommen.`,
      { label: 'Wenn es deines ist, öffne innerhalb eines Tages diesen Link', link: link(sender, key) },
      'Sonst ist nichts zu tun.',
    ],
  }),
}

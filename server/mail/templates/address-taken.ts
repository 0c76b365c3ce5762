import type { Template } from '../template.js'

export const addressTaken: Template<'address_taken'> = {
  en: ({ account }, { organization }) => ({
    subject: `Your address at ${organization}`,
    body: [
      `The account ${account} at ${organization} wants to have this address.`,
      'Another account there has it already, so nothing changes.',
    ],
  }),
  de: ({ account }, { organization }) => ({
    subject: `Deine Adresse bei ${organization}`,
    body: [
      `Das Konto ${account} bei ${organization} soll diese Adresse bekommen.`,
      'Ein anderes Konto hat sie dort schon, darum ändert sich nichts.',
    ],
  }),
}

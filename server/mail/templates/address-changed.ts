import type { Template } from '../template.js'

export const addressChanged: Template<'address_changed'> = {
  en: ({ account, address }, { organization }) => ({
    subject: `Your address at ${organization} has changed`,
    body: [
      `The account ${account} at ${organization} has the address ${address} from now on.`,
      'If you did not want this, tell an administrator of the organization.',
    ],
  }),
  de: ({ account, address }, { organization }) => ({
    subject: `Deine Adresse bei ${organization} hat sich geändert`,
    body: [
      `Das Konto ${account} bei ${organization} hat von jetzt an die Adresse ${address}.`,
      'Wenn du das nicht wolltest, wende dich an eine Person, die die Organisation verwaltet.',
    ],
  }),
}

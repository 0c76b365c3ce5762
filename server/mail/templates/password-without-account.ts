import type { Template } from '../template.js'

export const passwordWithoutAccount: Template<'password_without_account'> = {
  en: ({ account, isDeactivated }, { organization }) => ({
    subject: `No new password at ${organization}`,
    body: [
      `You, or another person, wanted a new password for ${account} at ${organization}.`,
      isDeactivated
        ? 'The account of this address is deactivated. An administrator of the organization can reactivate it.'
        : 'There is no account of this address. You may have signed up with another one.',
    ],
  }),
  de: ({ account, isDeactivated }, { organization }) => ({
    subject: `Kein neues Passwort bei ${organization}`,
    body: [
      `Du oder eine andere Person wollte ein neues Passwort für ${account} bei ${organization}.`,
      isDeactivated
        ? 'Das Konto dieser Adresse ist deaktiviert. Die Verwaltung der Organisation kann es wieder aktivieren.'
        : 'Zu dieser Adresse gibt es kein Konto. Vielleicht hast du dich mit einer anderen registriert.',
    ],
  }),
}

import type { Template } from '../template.js'

export const deactivation: Template<'deactivation'> = {
  en: ({ account, comment }, { organization }) => ({
    subject: `Your account at ${organization} is deactivated`,
    body: [
      `Your account ${account} at ${organization} has been deactivated.`,
      'You can no longer sign in.',
      ...(comment.trim() === '' ? [] : ['The administrators say:', { quote: comment.trim() }]),
    ],
  }),
  de: ({ account, comment }, { organization }) => ({
    subject: `Dein Konto bei ${organization} ist deaktiviert`,
    body: [
      `Dein Konto ${account} bei ${organization} wurde deaktiviert.`,
      'Du kannst dich nicht mehr anmelden.',
      ...(comment.trim() === '' ? [] : ['Die Administratoren schreiben:', { quote: comment.trim() }]),
    ],
  }),
}

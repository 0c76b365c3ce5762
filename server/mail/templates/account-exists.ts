import type { Sender, Template } from '../template.js'

const signIn = ({ url }: Sender, account: string) => `${url}/login/?email=${encodeURIComponent(account)}`
const reset = ({ url }: Sender) => `${url}/accounts/password/reset/`

export const accountExists: Template<'account_exists'> = {
  en: ({ account, isActive }, sender) => ({
    subject: `Your account at ${sender.organization}`,
    body: isActive
      ? [
          `You, or another person, wanted to sign up at ${sender.organization} with this address. It has an account already.`,
          { label: 'Sign in here', link: signIn(sender, account) },
          { label: 'If you do not know your password, set a new one here', link: reset(sender) },
        ]
      : [
          `You, or another person, wanted to sign up at ${sender.organization} with this address. Its account there is deactivated.`,
          'An administrator of the organization can reactivate it.',
        ],
  }),
  de: ({ account, isActive }, sender) => ({
    subject: `Dein Konto bei ${sender.organization}`,
    body: isActive
      ? [
          `Du oder eine andere Person wollte sich mit dieser Adresse bei ${sender.organization} registrieren. Sie hat dort schon ein Konto.`,
          { label: 'Melde dich hier an', link: signIn(sender, account) },
          { label: 'Wenn du dein Passwort nicht weißt, setze hier ein neues', link: reset(sender) },
        ]
      : [
          `Du oder eine andere Person wollte sich mit dieser Adresse bei ${sender.organization} registrieren. Ihr Konto dort ist deaktiviert.`,
          'Die Verwaltung der Organisation kann es wieder aktivieren.',
        ],
  }),
}

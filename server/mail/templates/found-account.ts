import type { Sender, Template } from '../template.js'

const signIn = ({ url }: Sender, account: string) => `${url}/login/?email=${encodeURIComponent(account)}`

export const foundAccount: Template<'found_account'> = {
  en: ({ account, state }, sender) => ({
    subject: `Your accounts at ${sender.url}`,
    body: [
      `You, or another person, looked for the accounts of ${account}.`,
      ...(state === 'active'
        ? [{ label: `There is one at ${sender.organization}`, link: signIn(sender, account) }]
        : [
            state === 'deactivated'
              ? `The one at ${sender.organization} is deactivated.`
              : 'There is none on this server. You may have signed up with another address.',
          ]),
    ],
  }),
  de: ({ account, state }, sender) => ({
    subject: `Deine Konten bei ${sender.url}`,
    body: [
      `Du oder eine andere Person hat nach den Konten von ${account} gesucht.`,
      ...(state === 'active'
        ? [{ label: `Es gibt eines bei ${sender.organization}`, link: signIn(sender, account) }]
        : [
            state === 'deactivated'
              ? `Das Konto bei ${sender.organization} ist deaktiviert.`
              : 'Auf diesem Server gibt es keines. Vielleicht hast du dich mit einer anderen Adresse registriert.',
          ]),
    ],
  }),
}

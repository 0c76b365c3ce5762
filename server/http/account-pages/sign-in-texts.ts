import type { PageLanguage } from '../../text/page-language.js'

interface SignInTexts {
  readonly title: string
  readonly place: (organization: string) => string
  readonly email: string
  readonly name: string
  readonly password: string
  readonly submit: string
  readonly forgotten: string
  readonly noAccount: string
  readonly signUp: string
  readonly byPasskey: string
  readonly by: (method: string) => string
  readonly deactivated: (email: string) => string
  readonly alreadyRegistered: string
  readonly demonstration: string
  readonly ended: string
  readonly noMethod: string
  readonly wrong: string
  readonly passwordsOff: string
  readonly tooMany: (minutes: number) => string
}

export const signInTexts: Readonly<Record<PageLanguage, SignInTexts>> = {
  en: {
    title: 'Sign in',
    place: organization => `to ${organization}`,
    email: 'Email address',
    name: 'Email address or user name',
    password: 'Password',
    submit: 'Sign in',
    forgotten: 'Forgotten the password?',
    noAccount: 'You have no account?',
    signUp: 'Sign up',
    byPasskey: 'Sign in with a passkey',
    by: method => `Sign in with ${method}`,
    deactivated: email =>
      `The account ${email} is deactivated. An administrator of the organization can reactivate it.`,
    alreadyRegistered: 'There is an account with this address already. Sign in to it here.',
    demonstration: 'This is a demonstration. Enter as',
    ended: 'Your session has ended. Please sign in again.',
    wrong: 'The address or the password is wrong.',
    passwordsOff: 'Passwords are switched off in this organization.',
    tooMany: minutes => `Too many attempts. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
    noMethod: 'No way to sign in is switched on. Ask an administrator of the organization.',
  },
  de: {
    title: 'Anmelden',
    place: organization => `bei ${organization}`,
    email: 'E-Mail-Adresse',
    name: 'E-Mail-Adresse oder Benutzername',
    password: 'Passwort',
    submit: 'Anmelden',
    forgotten: 'Passwort vergessen?',
    noAccount: 'Du hast kein Konto?',
    signUp: 'Registrieren',
    byPasskey: 'Mit einem Passkey anmelden',
    by: method => `Mit ${method} anmelden`,
    deactivated: email =>
      `Das Konto ${email} ist deaktiviert. Die Verwaltung der Organisation kann es wieder aktivieren.`,
    alreadyRegistered: 'Zu dieser Adresse gibt es schon ein Konto. Melde dich hier damit an.',
    demonstration: 'Das ist eine Vorführung. Tritt ein als',
    ended: 'Deine Sitzung ist beendet. Bitte melde dich wieder an.',
    wrong: 'Adresse oder Passwort stimmen nicht.',
    passwordsOff: 'In dieser Organisation sind Passwörter ausgeschaltet.',
    tooMany: minutes => `Zu viele Versuche. Versuche es in ${minutes} ${minutes === 1 ? 'Minute' : 'Minuten'} wieder.`,
    noMethod: 'Keine Art der Anmeldung ist eingeschaltet. Frage die Verwaltung der Organisation.',
  },
}

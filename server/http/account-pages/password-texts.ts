import type { PageLanguage } from '../../text/page-language.js'

interface PasswordTexts {
  readonly title: string
  readonly ask: string
  readonly email: string
  readonly send: string
  readonly sentTitle: string
  readonly sent: string
  readonly formTitle: string
  readonly first: string
  readonly second: string
  readonly hint: string
  readonly refused: string
  readonly set: string
  readonly doneTitle: string
  readonly done: string
  readonly signIn: string
}

export const passwordTexts: Readonly<Record<PageLanguage, PasswordTexts>> = {
  en: {
    title: 'New password',
    ask: 'Give the address of your account. We send you a mail with a link for a new password.',
    email: 'Email address',
    send: 'Send the link',
    sentTitle: 'Look into your mails',
    sent: 'If the address has an account here, a mail with a link is on its way. The link works for three days.',
    formTitle: 'Choose a new password',
    first: 'New password',
    second: 'The same again',
    hint: 'One that is hard to guess, for example several words.',
    refused: 'The two are different, or the password is too easy to guess or longer than 100 characters.',
    set: 'Set the password',
    doneTitle: 'The password is set',
    done: 'Sign in with it from now on.',
    signIn: 'Sign in',
  },
  de: {
    title: 'Neues Passwort',
    ask: 'Gib die Adresse deines Kontos an. Wir schicken dir eine E-Mail mit einem Link für ein neues Passwort.',
    email: 'E-Mail-Adresse',
    send: 'Link schicken',
    sentTitle: 'Sieh in deine E-Mails',
    sent: 'Wenn die Adresse hier ein Konto hat, ist eine E-Mail mit einem Link unterwegs. Er gilt drei Tage.',
    formTitle: 'Wähle ein neues Passwort',
    first: 'Neues Passwort',
    second: 'Noch einmal dasselbe',
    hint: 'Eines, das schwer zu erraten ist, zum Beispiel mehrere Wörter.',
    refused: 'Die beiden sind verschieden, oder das Passwort ist zu leicht zu erraten oder länger als 100 Zeichen.',
    set: 'Passwort setzen',
    doneTitle: 'Das Passwort ist gesetzt',
    done: 'Melde dich von nun an damit an.',
    signIn: 'Anmelden',
  },
}

import type { PageLanguage } from '../../text/page-language.js'

/** The texts of the pages on which people make an account. */
export interface SignUpTexts {
  readonly title: string
  readonly place: (organization: string) => string
  readonly invited: (organization: string) => string
  readonly email: string
  readonly submit: string
  readonly hasAccount: string
  readonly signIn: string
  /** Why no account can have the address, or why the page has no form. */
  readonly refusals: Readonly<
    Record<'malformed' | 'reserved' | 'domain' | 'plus sign' | 'disposable' | 'invitation', string>
  >
  readonly sentTitle: string
  readonly sent: (email: string) => string
  readonly sentHint: string
  readonly formTitle: string
  readonly name: string
  readonly password: string
  readonly passwordHint: string
  readonly channels: string
  readonly create: string
  /** Why the form is shown again. */
  readonly again: Readonly<Record<'name' | 'name taken' | 'password', string>>
}

export const signUpTexts: Readonly<Record<PageLanguage, SignUpTexts>> = {
  en: {
    title: 'Sign up',
    place: organization => `at ${organization}`,
    invited: organization => `You are invited to join ${organization}.`,
    email: 'Email address',
    submit: 'Continue',
    hasAccount: 'You have an account?',
    signIn: 'Sign in',
    refusals: {
      malformed: 'This is no email address.',
      reserved: 'This address belongs to the server.',
      domain: 'People can join only with addresses of certain domains. Use the address of your organization.',
      'plus sign': 'The address must not contain a plus sign.',
      disposable: 'Addresses of services that throw mails away are not allowed here.',
      invitation: 'You need an invitation to join. Ask a person who has an account here.',
    },
    sentTitle: 'Look into your mails',
    sent: email => `We have sent a mail to ${email}. Open the link in it within a day to go on.`,
    sentHint: 'It can take a minute. Look into the folder for spam if it does not come.',
    formTitle: 'Make your account',
    name: 'Your name',
    password: 'Password',
    passwordHint: 'One that is hard to guess, for example several words.',
    channels: 'What interests you?',
    create: 'Sign up',
    again: {
      name: 'A name has 2 to 100 characters, and none of * ` \\ > " @.',
      'name taken': 'Another person here has this name, or one that looks like it. Choose another one.',
      password: 'This password is too easy to guess, or longer than 100 characters.',
    },
  },
  de: {
    title: 'Registrieren',
    place: organization => `bei ${organization}`,
    invited: organization => `Du bist eingeladen, ${organization} beizutreten.`,
    email: 'E-Mail-Adresse',
    submit: 'Weiter',
    hasAccount: 'Du hast ein Konto?',
    signIn: 'Anmelden',
    refusals: {
      malformed: 'Das ist keine E-Mail-Adresse.',
      reserved: 'Diese Adresse gehört dem Server.',
      domain: 'Ein Beitritt ist nur mit Adressen bestimmter Domänen möglich. Nimm die Adresse deiner Organisation.',
      'plus sign': 'Die Adresse darf kein Pluszeichen enthalten.',
      disposable: 'Wegwerfadressen sind hier nicht erlaubt.',
      invitation: 'Für den Beitritt brauchst du eine Einladung. Frage eine Person, die hier ein Konto hat.',
    },
    sentTitle: 'Sieh in deine E-Mails',
    sent: email =>
      `Wir haben eine E-Mail an ${email} geschickt. Öffne innerhalb eines Tages den Link darin, um weiterzumachen.`,
    sentHint: 'Das kann eine Minute dauern. Sieh im Ordner für Spam nach, wenn sie nicht ankommt.',
    formTitle: 'Lege dein Konto an',
    name: 'Dein Name',
    password: 'Passwort',
    passwordHint: 'Eines, das schwer zu erraten ist, zum Beispiel mehrere Wörter.',
    channels: 'Was interessiert dich?',
    create: 'Registrieren',
    again: {
      name: 'Ein Name hat 2 bis 100 Zeichen und keines von * ` \\ > " @.',
      'name taken': 'Eine andere Person hat hier diesen Namen oder einen, der so aussieht. Wähle einen anderen.',
      password: 'Dieses Passwort ist zu leicht zu erraten oder länger als 100 Zeichen.',
    },
  },
}

import type { PageLanguage } from '../../text/page-language.js'

interface SetupTexts {
  readonly title: string
  readonly intro: string
  readonly organization: string
  readonly you: string
  readonly fullName: string
  readonly email: string
  readonly password: string
  readonly passwordHint: string
  readonly address: string
  readonly addressHint: string
  readonly loopback: string
  readonly joining: string
  readonly ways: Readonly<Record<'invitation' | 'domain' | 'open', string>>
  readonly methods: string
  readonly methodsHint: string
  readonly channels: string
  readonly channelsHint: string
  readonly firstChannels: string
  readonly invited: string
  readonly invitedHint: string
  readonly submit: string
  readonly problems: Readonly<Record<Problem, string>>
}

/** What can be wrong in the form. */
export type Problem = 'organization' | 'fullName' | 'email' | 'password' | 'joining' | 'channels' | 'invited'

export const setupTexts: Readonly<Record<PageLanguage, SetupTexts>> = {
  en: {
    title: 'Set up your organization',
    intro: 'This server has no account yet. Yours will be the first, and it owns the organization.',
    organization: 'Name of the organization',
    you: 'You',
    fullName: 'Your name',
    email: 'Email address',
    password: 'Password',
    passwordHint: 'Hard to guess, for example four words that do not belong together.',
    address: 'Address of this server',
    addressHint: 'From the setting PUBLIC_URL. Links in mails begin with it.',
    loopback: 'Only this machine reaches this address. Set PUBLIC_URL before you invite people at other machines.',
    joining: 'Who may join?',
    ways: {
      invitation: 'People who are invited',
      domain: 'All people with an address of my domain',
      open: 'All people',
    },
    methods: 'Ways to sign in',
    methodsHint: 'Found in the settings of the server. You can switch them off later by the API.',
    channels: 'First channels',
    channelsHint: 'Names, separated by commas. Every new user is subscribed to them.',
    firstChannels: 'general, random',
    invited: 'Invite people',
    invitedHint: 'Email addresses, one per line or separated by commas. You can also do this later.',
    submit: 'Set up',
    problems: {
      organization: 'The name needs 1 to 40 characters.',
      fullName: 'The name needs 2 to 100 characters, without quotes, @, * and the like.',
      email: 'This is no email address that the organization could use.',
      password: 'This password is too easy to guess, or longer than 100 characters.',
      joining: 'The part of your address after the @ is no domain by which people could join: choose another way.',
      invited: 'These addresses cannot be invited, or there are more than 1,000. Nothing has been set up yet.',
      channels: 'A channel needs a name of 1 to 60 characters, and each name can be there once.',
    },
  },
  de: {
    title: 'Richte deine Organisation ein',
    intro: 'Dieser Server hat noch kein Konto. Deines ist das erste, und ihm gehört die Organisation.',
    organization: 'Name der Organisation',
    you: 'Du',
    fullName: 'Dein Name',
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    passwordHint: 'Schwer zu erraten, zum Beispiel vier Wörter, die nicht zusammengehören.',
    address: 'Adresse dieses Servers',
    addressHint: 'Aus der Einstellung PUBLIC_URL. Links in E-Mails beginnen damit.',
    loopback:
      'Nur dieser Rechner erreicht diese Adresse. Setze PUBLIC_URL, bevor du Personen an anderen Rechnern einlädst.',
    joining: 'Wer darf beitreten?',
    ways: {
      invitation: 'Wer eingeladen ist',
      domain: 'Alle mit einer Adresse meiner Domain',
      open: 'Alle',
    },
    methods: 'Wege zur Anmeldung',
    methodsHint: 'In den Einstellungen des Servers gefunden. Du kannst sie später über die API abschalten.',
    channels: 'Erste Kanäle',
    channelsHint: 'Namen, durch Kommas getrennt. Alle neuen Konten abonnieren sie.',
    firstChannels: 'allgemein, kantine',
    invited: 'Personen einladen',
    invitedHint: 'E-Mail-Adressen, eine je Zeile oder durch Kommas getrennt. Das geht auch später.',
    submit: 'Einrichten',
    problems: {
      organization: 'Der Name braucht 1 bis 40 Zeichen.',
      fullName: 'Der Name braucht 2 bis 100 Zeichen, ohne Anführungszeichen, @, * und dergleichen.',
      email: 'Das ist keine E-Mail-Adresse, die die Organisation verwenden könnte.',
      password: 'Dieses Passwort ist zu leicht zu erraten oder länger als 100 Zeichen.',
      joining:
        'Der Teil deiner Adresse nach dem @ ist keine Domain, mit der andere beitreten könnten: Wähle einen anderen Weg.',
      invited:
        'Diese Adressen können nicht eingeladen werden, oder es sind mehr als 1.000. Noch ist nichts eingerichtet.',
      channels: 'Ein Kanal braucht einen Namen von 1 bis 60 Zeichen, und jeder Name kann nur einmal vorkommen.',
    },
  },
}

import type { PageLanguage } from '../../../text/page-language.js'

interface FactorTexts {
  readonly title: string
  readonly account: (address: string) => string
  readonly code: string
  readonly hint: string
  readonly recoveryCode: string
  readonly recoveryHint: string
  readonly submit: string
  readonly other: string
  readonly wrong: string
  readonly passkeyTitle: string
  readonly passkeySays: string
  readonly passkeyRefused: string
  readonly usePasskey: string
  readonly useCode: string
  readonly otherWay: string
  readonly tooMany: (minutes: number) => string
}

export const factorTexts: Readonly<Record<PageLanguage, FactorTexts>> = {
  en: {
    title: 'Second factor',
    account: address => `for ${address}`,
    code: 'Code of your authenticator app',
    hint: 'Six digits. Without the app: one of your recovery codes.',
    recoveryCode: 'Recovery code',
    recoveryHint: 'One of the codes that you kept when you added the passkey.',
    submit: 'Go on',
    other: 'Sign in to another account',
    wrong: 'The code is wrong, or was used before. An app shows a new one every 30 seconds.',
    passkeyTitle: 'Passkey',
    passkeySays: 'Your browser asks for your passkey.',
    passkeyRefused: 'The passkey was not accepted. Try again.',
    usePasskey: 'Use a passkey',
    useCode: 'Use a code',
    otherWay: 'Sign in another way',
    tooMany: minutes => `Too many wrong codes. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
  },
  de: {
    title: 'Zweiter Faktor',
    account: address => `für ${address}`,
    code: 'Code deiner Authenticator-App',
    hint: 'Sechs Ziffern. Ohne die App: einer deiner Wiederherstellungscodes.',
    recoveryCode: 'Wiederherstellungscode',
    recoveryHint: 'Einer der Codes, die du beim Hinzufügen des Passkeys aufbewahrt hast.',
    submit: 'Weiter',
    other: 'Bei einem anderen Konto anmelden',
    wrong: 'Der Code stimmt nicht oder wurde schon benutzt. Eine App zeigt alle 30 Sekunden einen neuen.',
    passkeyTitle: 'Passkey',
    passkeySays: 'Dein Browser fragt nach deinem Passkey.',
    passkeyRefused: 'Der Passkey wurde nicht angenommen. Versuche es noch einmal.',
    usePasskey: 'Passkey benutzen',
    useCode: 'Code benutzen',
    otherWay: 'Anders anmelden',
    tooMany: minutes =>
      `Zu viele falsche Codes. Versuche es in ${minutes} ${minutes === 1 ? 'Minute' : 'Minuten'} wieder.`,
  },
}

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
  readonly setUpTitle: string
  readonly setUpSays: string
  readonly qrCode: string
  readonly secret: string
  readonly codesTitle: string
  readonly codesSay: string
  readonly codesKept: string
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
    setUpTitle: 'Set up a second factor',
    setUpSays:
      'Your organization requires a second factor. Scan this code with an authenticator app, and type the six digits that it shows.',
    qrCode: 'QR code for the authenticator app',
    secret: 'Or type this key into the app:',
    codesTitle: 'Recovery codes',
    codesSay:
      'Keep these codes in a safe place: print them, or write them down. They are shown only now. Each works once in place of the app.',
    codesKept: 'I have kept the codes',
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
    setUpTitle: 'Zweiten Faktor einrichten',
    setUpSays:
      'Deine Organisation verlangt einen zweiten Faktor. Lies diesen Code mit einer Authenticator-App ein und tippe die sechs Ziffern, die sie zeigt.',
    qrCode: 'QR-Code für die Authenticator-App',
    secret: 'Oder tippe diesen Schlüssel in die App:',
    codesTitle: 'Wiederherstellungscodes',
    codesSay:
      'Bewahre diese Codes sicher auf: drucke sie aus oder schreibe sie ab. Sie werden nur jetzt gezeigt. Jeder gilt einmal an Stelle der App.',
    codesKept: 'Ich habe die Codes aufbewahrt',
    tooMany: minutes =>
      `Zu viele falsche Codes. Versuche es in ${minutes} ${minutes === 1 ? 'Minute' : 'Minuten'} wieder.`,
  },
}

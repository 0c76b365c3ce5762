import type { IdentityResult } from '../../../actions/sign-in/sign-in-by-identity.js'
import type { PageLanguage } from '../../../text/page-language.js'

interface Text {
  readonly title: string
  readonly says: string
}

/** Why a sign-in at a provider ends on a page. */
export type Problem =
  | 'away'
  | 'refused'
  | 'cancelled'
  | 'expired'
  | 'unknown'
  | 'uninvited'
  | Extract<IdentityResult, { outcome: 'refused' }>['reason']

interface Texts {
  readonly problems: Readonly<Record<Problem, Text>>
  readonly again: string
  readonly signUp: string
  readonly otherWay: string
}

const en: Texts = {
  problems: {
    away: {
      title: 'No answer',
      says: 'The service that checks who you are does not answer. Try again in a moment.',
    },
    refused: {
      title: 'Sign-in failed',
      says: 'The service that checks who you are sent an answer that this server does not accept. Try again; if it fails again, tell an administrator.',
    },
    cancelled: { title: 'Not signed in', says: 'The sign-in was cancelled.' },
    expired: {
      title: 'Please try again',
      says: 'This sign-in took too long, was finished before, or was begun in another browser.',
    },
    unknown: { title: 'No account', says: 'There is no account with your address in this organization.' },
    uninvited: {
      title: 'No account',
      says: 'There is no account with your address in this organization, and you cannot join by yourself. Ask for an invitation.',
    },
    unverified: {
      title: 'Address not confirmed',
      says: 'The service that checks who you are has not confirmed your email address. Confirm it there, and try again.',
    },
    'address changed': {
      title: 'Another address',
      says: 'Your account here has another email address than you have now. An administrator can change it.',
    },
    'other person': {
      title: 'Not your account',
      says: 'The account with this address was used by another person of the same service. Ask an administrator.',
    },
    'no person': { title: 'Not an account of a person', says: 'The account with this address belongs to a program.' },
  },
  again: 'Try again',
  signUp: 'Sign up',
  otherWay: 'Sign in another way',
}

const de: Texts = {
  problems: {
    away: {
      title: 'Keine Antwort',
      says: 'Der Dienst, der deine Identität prüft, antwortet nicht. Versuche es gleich noch einmal.',
    },
    refused: {
      title: 'Anmeldung fehlgeschlagen',
      says: 'Der Dienst, der deine Identität prüft, hat etwas geantwortet, das dieser Server nicht annimmt. Versuche es noch einmal; hilft das nicht, wende dich an die Verwaltung.',
    },
    cancelled: { title: 'Nicht angemeldet', says: 'Die Anmeldung wurde abgebrochen.' },
    expired: {
      title: 'Bitte noch einmal',
      says: 'Diese Anmeldung hat zu lange gedauert, ist schon beendet oder wurde in einem anderen Browser begonnen.',
    },
    unknown: { title: 'Kein Konto', says: 'Zu deiner Adresse gibt es in dieser Organisation kein Konto.' },
    uninvited: {
      title: 'Kein Konto',
      says: 'Zu deiner Adresse gibt es in dieser Organisation kein Konto, und du kannst ihr nicht von dir aus beitreten. Bitte um eine Einladung.',
    },
    unverified: {
      title: 'Adresse nicht bestätigt',
      says: 'Der Dienst, der deine Identität prüft, hat deine E-Mail-Adresse nicht bestätigt. Bestätige sie dort und versuche es noch einmal.',
    },
    'address changed': {
      title: 'Andere Adresse',
      says: 'Dein Konto hier hat eine andere E-Mail-Adresse als du jetzt. Die Verwaltung kann sie ändern.',
    },
    'other person': {
      title: 'Nicht dein Konto',
      says: 'Das Konto mit dieser Adresse hat eine andere Person desselben Dienstes benutzt. Frage die Verwaltung.',
    },
    'no person': {
      title: 'Kein Konto einer Person',
      says: 'Das Konto mit dieser Adresse gehört einem Programm.',
    },
  },
  again: 'Noch einmal versuchen',
  signUp: 'Konto anlegen',
  otherWay: 'Anders anmelden',
}

export const providerTexts: Readonly<Record<PageLanguage, Texts>> = { en, de }

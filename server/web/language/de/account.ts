import type { Texts } from '../texts.js'

export const account: Texts['account'] = {
  password: 'Passwort',
  oldPassword: 'Aktuelles Passwort',
  newPassword: 'Neues Passwort',
  showPasswords: 'Passwörter anzeigen',
  changePassword: 'Passwort ändern',
  passwordChanged: 'Das Passwort ist geändert.',
  wrongPassword: 'Das ist nicht dein Passwort.',
  weakPassword: 'Dieses Passwort ist zu leicht zu erraten. Nimm ein längeres, zum Beispiel mehrere Wörter.',
  longPassword: 'Dieses Passwort ist zu lang.',
  apiKey: 'API-Schlüssel',
  apiKeyMeaning:
    'Mit deiner E-Mail-Adresse und diesem Schlüssel handeln Programme in deinem Namen. Halte ihn so geheim wie dein Passwort.',
  show: 'Anzeigen',
  hide: 'Verbergen',
  copy: 'Kopieren',
  copied: 'Der Schlüssel ist kopiert.',
  sessions: 'Sitzungen',
  sessionsMeaning:
    'Wenn du ein Gerät verloren hast oder jemand deinen API-Schlüssel kennen könnte: Melde dich überall außer in diesem Browser ab.',
  signOutElsewhere: 'Überall sonst abmelden …',
  confirm:
    'Du bekommst einen neuen API-Schlüssel. Alle anderen Browser und Geräte werden sofort abgemeldet, und Programme mit dem jetzigen Schlüssel funktionieren nicht mehr. Dieser Browser bleibt angemeldet.',
  signOutNow: 'Überall sonst abmelden',
  signedOutElsewhere: 'Du bist überall sonst abgemeldet und hast einen neuen API-Schlüssel.',
}

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
  showKey: 'Schlüssel anzeigen',
  passwordForKey: 'Dein Passwort, um den Schlüssel anzuzeigen',
  replaceKey: 'Ersetzen',
  keyReplaced: 'Du hast einen neuen Schlüssel. Programme mit dem bisherigen funktionieren nicht mehr.',
  copy: 'Kopieren',
  copied: 'Der Schlüssel ist kopiert.',
  sessions: 'Sitzungen',
  sessionsMeaning: 'Die Browser, in denen du angemeldet bist.',
  thisSession: 'Dieser Browser',
  unknownDevice: 'Unbekannter Browser',
  usedAt: (address, time) => `${address}, zuletzt benutzt ${time}`,
  endSession: 'Abmelden',
  signOutElsewhere: 'Überall sonst abmelden',
}

import type { SettingsTexts } from '../../texts.js'

export const factors: SettingsTexts['factors'] = {
  title: 'Zweite Faktoren und Passkeys',
  meaning:
    'Mit einem zweiten Faktor genügt dein Passwort allein nicht zur Anmeldung. Ein Passkey ersetzt auch das Passwort.',
  password: 'Dein Passwort, für jede Änderung',
  passkey: 'Passkey',
  passkeyName: 'Name des Passkeys',
  addPasskey: 'Passkey hinzufügen',
  noPasskeys: 'Passkeys brauchen eine Adresse dieses Servers mit https und einem Hostnamen.',
  remove: 'Entfernen',
  hasApp: 'Authenticator-App: hinzugefügt',
  noApp: 'Authenticator-App: keine',
  addApp: 'Authenticator-App hinzufügen',
  removeApp: 'App entfernen',
  scan: 'Lies diesen Code mit der App ein und tippe die sechs Ziffern, die sie zeigt.',
  qrCode: 'QR-Code für die Authenticator-App',
  secret: 'Oder tippe diesen Schlüssel in die App:',
  code: 'Code der App',
  confirm: 'Bestätigen',
  codesLeft: 'Übrige Wiederherstellungscodes:',
  newCodes: 'Neue Wiederherstellungscodes',
  codes: 'Wiederherstellungscodes',
  codesMeaning:
    'Bewahre diese Codes sicher auf. Sie werden nur jetzt gezeigt. Jeder gilt einmal an Stelle deines zweiten Faktors.',
  download: 'Herunterladen',
  print: 'Drucken',
  required: 'Zweiter Faktor',
  none: 'Nicht verlangt',
  administrators: 'Für Administration und Eigentümer verlangt',
  users: 'Für alle verlangt',
  requiredMeaning:
    'Wer sich mit Passwort anmeldet und keinen zweiten Faktor hat, richtet bei der nächsten Anmeldung einen ein. Ein Identitätsanbieter fragt nach seinem eigenen.',
}

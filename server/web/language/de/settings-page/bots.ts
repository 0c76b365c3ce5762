import type { SettingsTexts } from '../../texts.js'

export const bots: SettingsTexts['bots'] = {
  meaning: 'Konten für Programme. Ein Bot ist in keinem Kanal, bis ihn jemand hinzufügt.',
  add: 'Neuer Bot',
  make: 'Bot anlegen',
  generic: 'Darf, was eine Person darf',
  incoming: 'Sendet nur Nachrichten',
  outgoing: 'Sein Server bekommt Nachrichten und antwortet',
  newKey: 'Neuer Schlüssel',
  reallyNewKey: 'Alten Schlüssel beenden',
  reallyDeactivate: 'Wirklich deaktivieren',
  deactivate: 'Deaktivieren',
  key: 'Schlüssel des Bots',
  hello: 'Hallo',
  id: 'Konto-ID',
  service: 'Adresse für einen Dienst, der an Slack schreibt',
  keyOf: 'Schlüssel von',
  once: 'Kopiere den Schlüssel jetzt: Diese Seite zeigt ihn nicht noch einmal. Ein neuer Schlüssel beendet den alten. So schickt dir der Bot seine erste Nachricht:',
}

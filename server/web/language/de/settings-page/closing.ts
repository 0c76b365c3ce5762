import type { SettingsTexts } from '../../texts.js'

export const closing: SettingsTexts['closing'] = {
  meaning:
    'Alle Personen werden sofort abgemeldet und können sich nicht mehr anmelden; API-Schlüssel und Links gelten nicht mehr, und alle Eigentümer bekommen eine E-Mail. Nachrichten und Dateien bleiben, wenn du sie nicht unten löschen lässt. Solange es sie gibt, kann der Betreiber des Servers den Eigentümern einen Link schicken, der die Organisation wieder öffnet.',
  days: 'Alle Daten nach so vielen Tagen löschen',
  daysMeaning: least =>
    `Nachrichten, Dateien und Konten werden dann endgültig gelöscht. Mindestens ${least} Tage; leer: Sie werden nie gelöscht.`,
  confirm: name => `Gib zur Bestätigung den Namen der Organisation ein: ${name}`,
  close: 'Organisation schließen',
}

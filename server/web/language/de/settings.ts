import type { Texts } from '../texts.js'

export const settings: Texts['settings'] = {
  tabs: {
    alertWords: 'Signalwörter',
    mutedTopics: 'Stumme Themen',
    mutedPeople: 'Stumme Personen',
  },
  saving: 'Wird gespeichert …',
  saved: 'Gespeichert',
  changePicture: 'Bild ändern',
  setStatus: 'Status festlegen',
  required: field => `${field} (Pflichtfeld)`,
  findPeople: 'Personen suchen',
  foundPeople: 'Gefundene Personen',
  language: 'Sprache',
  colours: 'Farben',
  theme: { system: 'System', light: 'Hell', dark: 'Dunkel' },
  playIt: 'Anhören',
  granted: 'Dieser Browser zeigt Benachrichtigungen, während ein anderes Fenster aktiv ist.',
  allow: 'Benachrichtigungen in diesem Browser erlauben',
  denied:
    'Dieser Browser blockiert die Benachrichtigungen dieser Seite. Du kannst sie in den Browsereinstellungen erlauben.',
  missing: 'Dieser Browser unterstützt keine Benachrichtigungen.',
  newAlertWord: 'Neues Signalwort',
  noAlertWords: 'Neue Nachrichten mit einem dieser Wörter werden für dich hervorgehoben.',
  noMutedPeople: 'Du hast niemanden stummgeschaltet. Das geht im Profil einer Person.',
  noMutedTopics: 'Du hast kein Thema stummgeschaltet. Das geht im Menü eines Themas.',
}

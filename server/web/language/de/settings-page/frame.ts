import { counterOf } from '../../counter.js'
import type { SettingsTexts } from '../../texts.js'

const count = counterOf('de')

export const frame: SettingsTexts['frame'] = {
  title: 'Einstellungen',
  own: 'Deine Einstellungen',
  organization: 'Organisation',
  list: 'Bereiche',
  leave: 'Zurück zum Chat',
  backToList: 'Zurück zu den Bereichen',
  find: 'Einstellung suchen',
  found: n => count(n, { one: n => `${n} Einstellung gefunden`, other: n => `${n} Einstellungen gefunden` }),
  nothing: 'Keine Einstellung enthält diese Wörter.',
  onlyRead: 'Du kannst diese Einstellungen lesen. Ändern kann sie die Administration.',
  onlyOwners: 'Das können nur Eigentümer ändern.',
  noHolder: 'Das kann der Server noch nicht.',
  utc: offset => `UTC${offset}`,
  now: time => `jetzt ${time}`,
  findZone: 'Stadt oder Region',
  zones: 'Gefundene Orte',
  noZone: 'So heißt keine Zeitzone.',
  hideZone: 'Nicht anzeigen',
  onlyOwnersRead: 'Du kannst das lesen. Ändern können es Eigentümer.',
  moveUp: one => `Nach oben: ${one}`,
  moveDown: one => `Nach unten: ${one}`,
  edit: one => `${one} bearbeiten`,
  editShort: 'Bearbeiten',
  remove: one => `${one} entfernen`,
  reallyRemove: 'Wirklich?',
  archive: 'Archivieren',
  tryText: 'Text einer Nachricht',
  tryExample: 'zum Beispiel: behoben in #42',
  findChannel: 'Kanal suchen',
  createChannel: 'Kanal anlegen',
}

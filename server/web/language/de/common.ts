import type { Texts } from '../language.js'

export const common: Texts['common'] = {
  add: 'Hinzufügen',
  bot: 'Bot',
  cancel: 'Abbrechen',
  change: 'Ändern',
  close: 'Schließen',
  delete: 'Löschen',
  join: 'Beitreten',
  leave: 'Verlassen',
  loading: 'Wird geladen …',
  name: 'Name',
  none: 'Keiner',
  open: 'Öffnen',
  remove: 'Entfernen',
  removeOne: name => `${name} entfernen`,
  save: 'Speichern',
  tryAgain: 'Erneut versuchen',
  unknownChannel: 'unbekannter Kanal',
  unknownUser: 'Unbekannte Person',
  unmute: 'Stummschaltung aufheben',
  unmuteOne: name => `Stummschaltung von ${name} aufheben`,
}

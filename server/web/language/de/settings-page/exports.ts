import type { SettingsTexts } from '../../texts.js'

export const exports: SettingsTexts['exports'] = {
  meaning:
    'Der Server schreibt ein Archiv im Hintergrund und schickt dir eine Nachricht, wenn es fertig ist. Es kann eine Woche lang heruntergeladen werden; in sieben Tagen sind fünf Exporte möglich.',
  kind: 'Was es enthält',
  kinds: {
    public: 'Öffentliche Daten',
    full_with_consent: 'Auch private Daten von Personen, die zugestimmt haben',
    full_without_consent: 'Alles, auch Direktnachrichten aller Personen',
  },
  consents: (agreed, all) =>
    `${agreed} von ${all} ${all === 1 ? 'Person hat' : 'Personen haben'} zugestimmt, dass Exporte private Daten enthalten.`,
  since: time => `Nur Nachrichten seit dem Export vom ${time}`,
  request: 'Exportieren',
  listed: 'Exporte',
  none: 'Es gibt noch keinen Export.',
  pending: 'wird geschrieben',
  failed: 'fehlgeschlagen',
  deleted: 'gelöscht',
  written: percent => `zu ${percent} Prozent fertig`,
  download: 'Herunterladen',
  downloadOne: time => `Export vom ${time} herunterladen`,
  delete: 'Löschen',
  requestPerson: 'Archiv anlegen',
  ofPerson: 'Daten einer Person',
  yourData: 'Deine Daten',
  ownMeaning:
    'Ein Archiv mit allem, was dir gehört: Profil, Einstellungen, deine Nachrichten, Direktnachrichten, Dateien und was der Server über dich gespeichert hat. Der Server schreibt es im Hintergrund und schickt dir eine Nachricht, wenn es fertig ist. Es kann eine Woche lang heruntergeladen werden; in sieben Tagen sind zwei möglich.',
  personMeaning:
    'Ein Archiv mit allem, was dieser Person gehört, auch mit ihren Direktnachrichten, für eine Anfrage der Person. Sie erfährt davon. Es kann eine Woche lang heruntergeladen werden; du kannst in sieben Tagen zwei anlegen.',
  deleteOne: time => `Export vom ${time} löschen`,
}

import type { SettingsTexts } from '../../texts.js'

const counted = (count: number, one: string, more: string): string => `${count} ${count === 1 ? one : more}`

export const imports: SettingsTexts['imports'] = {
  meaning:
    'Hol den Verlauf deines Teams aus Slack, Mattermost, Discord oder Zulip hierher. Lade das Archiv so hoch, wie du es heruntergeladen hast: Es wird erst geprüft, und nichts ändert sich, bis du den Import startest. Keine Nachricht des Archivs benachrichtigt jemanden. Alle gelten als gelesen, wenn das Archiv nichts anderes sagt.',
  archive: 'Archiv (ZIP, tar.gz, JSON)',
  choose: 'Archiv auswählen oder hierher ziehen',
  sent: percent => `${percent} Prozent sind hochgeladen`,
  largest: mib =>
    `Ein Archiv darf hier ${mib} MiB haben; ein größeres kann importieren, wer den Server betreibt. Was nicht importiert wird, wird nach einer Woche gelöscht.`,
  listed: 'Archive',
  none: 'Es wurde noch kein Archiv hochgeladen.',
  states: {
    checking: 'wird geprüft',
    ready: 'geprüft, noch nicht importiert',
    running: 'wird importiert',
    finished: 'importiert',
    failed: 'fehlgeschlagen',
    undoing: 'wird zurückgenommen',
    undone: 'zurückgenommen',
  },
  failure:
    'Der Server konnte es nicht ausführen: Die Ursache steht in seinem Protokoll. Du kannst den Import noch einmal starten.',
  remove: 'Entfernen',
  removeOne: name => `Das Archiv ${name} entfernen`,
  undo: 'Zurücknehmen',
  undoOne: name => `Den Import von ${name} zurücknehmen`,
  reallyUndo: 'Import wirklich zurücknehmen',
  undoMeaning:
    'Entfernt alle Nachrichten dieses Archivs und die Kanäle, Konten und Emojis, die es mitgebracht hat. Ein Kanal, in dem hier geschrieben wurde, behält diese Nachrichten, und ein Konto, das schon benutzt wurde, bleibt. Danach lässt sich keine Nachricht wiederherstellen.',
  undone: (messages, channels, accounts) =>
    `${counted(messages, 'Nachricht', 'Nachrichten')}, ${counted(channels, 'Kanal', 'Kanäle')} und ${counted(accounts, 'Konto', 'Konten')} wurden entfernt.`,
  accountsStay: count =>
    `${counted(count, 'Konto', 'Konten')}, schon benutzt, ${count === 1 ? 'ist' : 'sind'} geblieben.`,
  channelsStay: 'Kanäle, die geblieben sind, weil sie benutzt werden',
  people: 'Personen',
  peopleCounts: (people, here, deactivated, bots) =>
    `${counted(people, 'Person', 'Personen')}, davon ${here} mit Konto hier, ${deactivated} deaktiviert; ${counted(bots, 'Bot', 'Bots')}`,
  channels: 'Kanäle',
  channelCounts: (open, closed, archived) => `${open} öffentlich, ${closed} privat; ${archived} archiviert`,
  talks: 'Direkte Unterhaltungen',
  messages: 'Nachrichten',
  messageCounts: (kept, source, replies) => `${kept} von ${source}, ${replies} in Threads`,
  period: (first, last) => `vom ${first} bis ${last}`,
  files: 'Dateien',
  fileCounts: (inArchive, toDownload, links) => `${inArchive} im Archiv, ${toDownload} herunterzuladen, ${links} Links`,
  written: 'Importiert',
  withoutAddress: 'Ohne Adresse',
  renamed: 'Kanäle, die einen anderen Namen bekommen',
  dropped: 'Nachrichten, die wegfallen',
  lost: 'Dateien, die verloren sind',
  faults: 'Fehler',
  whoIsWho: 'Wer ist wer',
  whoIsWhoMeaning:
    'Personen werden an ihrer Adresse erkannt. Wähle das Konto derer, die hier eine andere Adresse haben. Alle anderen bekommen ein Konto; ohne Adresse ist es deaktiviert.',
  findPeople: 'Personen des Archivs suchen',
  further: count => `${count} weitere: Suche nach ihnen.`,
  is: name => `ist ${name}`,
  becomesNew: 'bekommt ein Konto',
  becomesInactive: 'bekommt ein deaktiviertes Konto',
  becomesBot: 'wird ein deaktivierter Bot',
  noAddress: 'keine Adresse',
  choosePerson: 'Auswählen',
  chooseFor: name => `Das Konto von ${name} auswählen`,
  whichChannels: 'Kanäle und ihre Namen',
  whichChannelsMeaning:
    'Ein Kanal ohne Häkchen wird nicht importiert. Ein Name, den es schon gibt, bekommt eine Nummer.',
  findChannels: 'Kanäle des Archivs suchen',
  isPrivate: 'privat',
  isArchived: 'archiviert',
  members: count => counted(count, 'Mitglied', 'Mitglieder'),
  nameOf: name => `Neuer Name von ${name}`,
  outOfOrder: 'Auch Nachrichten, die älter sind als die eines früheren Imports',
  start: 'Importieren',
}

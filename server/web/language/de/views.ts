import { counterOf } from '../counter.js'
import type { Texts } from '../texts.js'

const count = counterOf('de')

export const view: Texts['view'] = {
  inbox: 'Posteingang',
  recent: 'Letzte Unterhaltungen',
  all: 'Alle Nachrichten',
  mentions: 'Erwähnungen',
  starred: 'Markiert',
  search: words => `„${words}“`,
  scheduled: 'Geplant',
  notes: 'Notizen an dich',
  connecting: 'Verbindung wird hergestellt …',
  away: moment => `Keine Verbindung: Du siehst den Stand von ${moment}. Was du schreibst, wird später gesendet.`,
  unreachable: 'Der Server ist nicht erreichbar. Es geht los, sobald eine Verbindung besteht.',
}

export const sidebar: Texts['sidebar'] = {
  label: 'Kanäle und Unterhaltungen',
  jump: 'Gehe zu …',
  jumpKey: key => `Gehe zu … (${key} K)`,
  channels: 'Kanäle',
  browse: 'Kanäle durchsuchen',
  pinned: 'Angeheftet',
  muted: 'Stummgeschaltet',
  private: 'Privater Kanal',
  web: 'Im Web sichtbar',
  public: 'Öffentlicher Kanal',
  topics: 'Themen',
  topicsFailed: reason => `Themen: ${reason}`,
  more: n => count(n, { one: n => `${n} weiteres`, other: n => `${n} weitere` }),
  direct: 'Direktnachrichten',
  newDirect: 'Neue Direktnachricht',
  filter: 'Filtern',
  filterLabel: 'Kanäle und Unterhaltungen filtern',
  onlyUnread: 'Nur Ungelesenes',
  notFound: 'Nichts in der Liste heißt so.',
  allRead: 'In der Liste ist alles gelesen.',
  quiet: n => count(n, { one: n => `${n} ruhiger Kanal`, other: n => `${n} ruhige Kanäle` }),
  lessQuiet: 'Ruhige Kanäle ausblenden',
  readSection: 'Alles als gelesen markieren',
  newFolder: 'Neuer Ordner',
  makeFolder: 'Ordner anlegen',
  editFolder: 'Ordner bearbeiten',
  allFolders: 'Alle Ordner',
  aboutFolders: 'Ordner sind für alle sichtbar, mit den Kanälen, die jede Person sehen darf.',
  skip: 'Liste überspringen',
  about: name => `Über ${name}`,
  menu: name => `Aktionen für ${name}`,
  unread: ' ungelesen',
  state: {
    connecting: 'Verbindung wird hergestellt …',
    live: 'Verbunden',
    resuming: 'Wird wieder verbunden …',
    closed: 'Abgemeldet',
  },
  toSend: n => count(n, { other: n => `${n} zu senden` }),
  rate: perSecond => `${perSecond} Ereignisse pro Sekunde, in den letzten fünf Sekunden`,
  delay: ms => `${ms} ms Antwortzeit des Servers, aus den letzten fünf Anfragen`,
}

export const ownMenu: Texts['ownMenu'] = {
  label: 'Dein Menü',
  settings: 'Einstellungen',
  status: 'Dein Status',
  quiet: 'Nicht stören',
  drafts: 'Entwürfe',
  picture: 'Dein Bild',
  keys: 'Tastenkürzel',
  emoji: 'Eigene Emoji',
  organization: 'Organisation',
  server: 'Serverstatus',
  signOut: 'Abmelden',
  unsent: n =>
    count(n, {
      one: n => `${n} Nachricht ist nicht gesendet. Beim Abmelden wird sie verworfen.`,
      other: n => `${n} Nachrichten sind nicht gesendet. Beim Abmelden werden sie verworfen.`,
    }),
}

export const home: Texts['home'] = {
  back: 'Zurück zur Liste',
  everything: 'Du hast alles gelesen.',
  unreadDirect: 'Ungelesene Direktnachrichten',
  unreadIn: folder => `Ungelesen in ${folder}`,
  direct: 'Direktnachrichten',
  followed: 'Du folgst diesem Thema',
  isFollowed: 'gefolgt',
  mention: 'Erwähnt dich',
  isMention: 'erwähnt dich',
  readAll: 'Alles als gelesen markieren',
  readOne: name => `${name} als gelesen markieren`,
  read: 'Als gelesen markieren',
  older: 'Ältere anzeigen',
  empty: 'Hier gibt es noch keine Nachrichten.',
}

export const readThrough: Texts['readThrough'] = {
  title: 'Ungelesenes lesen',
  begin: 'Nacheinander lesen',
  messages: n => count(n, { one: n => `${n} Nachricht ungelesen.`, other: n => `${n} Nachrichten ungelesen.` }),
  conversations: n =>
    n === 0
      ? 'Dies ist die letzte Unterhaltung.'
      : count(n, { one: n => `Noch ${n} Unterhaltung.`, other: n => `Noch ${n} Unterhaltungen.` }),
  next: 'Weiter',
  skip: 'Später',
  end: 'Lesen beenden',
  onlySkipped: n =>
    count(n, {
      one: n => `Du hast alles bis auf ${n} Unterhaltung gelesen.`,
      other: n => `Du hast alles bis auf ${n} Unterhaltungen gelesen.`,
    }),
}

export const beside: Texts['beside'] = {
  title: 'Unterhaltung daneben',
  open: 'Daneben öffnen',
  close: 'Diese Unterhaltung schließen',
}

export const people: Texts['people'] = {
  title: 'Personen',
  hide: 'Personen ausblenden',
  filter: 'Personen filtern',
  inConversation: 'In dieser Unterhaltung',
  inChannel: 'In diesem Kanal',
  add: 'Personen hinzufügen …',
  others: 'Andere',
  all: 'Alle Personen',
  nothing: 'Kein Name passt dazu.',
  find: 'Andere nach Namen suchen …',
  more: n => count(n, { other: n => `${n} weitere` }),
  you: 'du',
  presence: { active: 'Aktiv', idle: 'Untätig', offline: 'Abwesend' },
}

export const notification: Texts['notification'] = {
  direct: 'Neue Direktnachricht',
  from: (sender, place) => `${sender} (${place})`,
  newMessages: n => count(n, { one: n => `${n} neue Nachricht`, other: n => `${n} neue Nachrichten` }),
}

export const notice: Texts['notice'] = {
  refused: reason => `Der Server hat abgelehnt: ${reason}`,
  nothingUnread: 'Es gibt nichts Ungelesenes.',
  nothingUnreadHere: 'Hier gibt es nichts Ungelesenes.',
  markedRead: n =>
    count(n, {
      one: n => `${n} Nachricht als gelesen markiert.`,
      other: n => `${n} Nachrichten als gelesen markiert.`,
    }),
  unreadAgain: n =>
    count(n, { one: n => `${n} Nachricht wieder ungelesen.`, other: n => `${n} Nachrichten wieder ungelesen.` }),
  markingRead: (done, all) => count(all, { other: n => `${done} von ${n} Nachrichten …` }),
  otherLanguage: name => `In deinem Konto ist ${name} eingestellt.`,
  speak: name => `${name} verwenden`,
  undo: 'Rückgängig',
  linkCopied: 'Link kopiert.',
  textCopied: 'Text kopiert.',
  noClipboard: 'Der Browser erlaubt das Kopieren nur über HTTPS.',
  notSubscribed: 'Nur Nachrichten aus Kanälen, die du abonniert hast, können ungelesen sein.',
  draftHere: reason => `Der Entwurf ist nur in diesem Fenster gespeichert: ${reason}`,
  pinMoved: (name, place, all) => `${name} ist jetzt an Platz ${place} von ${all} angeheftet.`,
  sectionAbove: (name, other) => `${name} steht jetzt über ${other}.`,
  sectionBelow: (name, other) => `${name} steht jetzt unter ${other}.`,
  folderChanged: (channel, folder) => `${channel} ist jetzt für alle in ${folder}.`,
  folderMade: name =>
    `Der Ordner ${name} erscheint mit dem ersten Kanal in der Liste: Ein Kanal lässt sich dorthin ziehen, oder der Ordner in den Einstellungen eines Kanals wählen.`,
  nowhere: 'Dieser Link führt auf dieser Seite nirgendwohin.',
}

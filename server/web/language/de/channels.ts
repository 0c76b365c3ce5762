import { counterOf } from '../counter.js'
import type { Texts } from '../texts.js'

const count = counterOf('de')

export const channels: Texts['channels'] = {
  title: 'Kanäle',
  find: 'Kanal suchen',
  create: 'Erstellen',
  people: n => count(n, { one: n => `${n} Person`, other: n => `${n} Personen` }),
  newTitle: 'Neuer Kanal',
  purpose: 'Worum es geht',
  isPrivate: 'Privat: nur für Mitglieder sichtbar',
  createChannel: 'Kanal erstellen',
  newTopic: 'Neues Thema',
  channel: 'Kanal',
  topic: 'Thema',
  writeFirst: 'Erste Nachricht schreiben',
}

export const channel: Texts['channel'] = {
  about: 'Über den Kanal',
  tabs: { settings: 'Einstellungen', permissions: 'Berechtigungen', members: 'Mitglieder', topics: 'Themen' },
  gone: 'Dieser Kanal ist archiviert, oder du kannst ihn nicht mehr sehen.',
  findOrAdd: 'Mitglieder suchen oder hinzufügen',
  find: 'Mitglieder suchen',
  add: name => `${name} hinzufügen`,
  leave: name => `Kanal verlassen (${name})`,
  members: 'Mitglieder',
  andMore: n => count(n, { other: n => `Und ${n} weitere: Die Suche findet sie.` }),
  alsoOrganization: 'Zusätzlich gelten die Berechtigungen der Organisation.',
  permission: {
    can_send_message_group: 'Nachrichten schreiben',
    can_create_topic_group: 'Themen beginnen',
    can_subscribe_group: 'Beitreten, auch wenn der Kanal privat ist',
    can_add_subscribers_group: 'Mitglieder hinzufügen',
    can_remove_subscribers_group: 'Mitglieder entfernen',
    can_resolve_topics_group: 'Themen als erledigt markieren',
    can_move_messages_within_channel_group: 'Nachrichten in andere Themen verschieben',
    can_move_messages_out_of_channel_group: 'Nachrichten in andere Kanäle verschieben',
    can_delete_own_message_group: 'Eigene Nachrichten löschen',
    can_delete_any_message_group: 'Alle Nachrichten löschen',
    can_administer_channel_group: 'Den Kanal ändern',
  },
  purpose: 'Worum es geht',
  whoSees: 'Wer ihn sieht',
  whoPosts: 'Wer schreiben darf',
  folder: 'Ordner',
  created: 'Erstellt',
  createdOn: day => `Erstellt am ${day}.`,
  by: (day, name) => `${day} von ${name}`,
  archive: 'Kanal archivieren',
  reallyArchive: 'Wirklich archivieren: Dann kann niemand mehr darin schreiben',
  findTopic: 'Thema suchen',
  topics: 'Themen',
  noTopic: 'Kein Thema.',
  mark: { resolved: 'erledigt', followed: 'gefolgt', muted: 'stummgeschaltet' },
  privacy: {
    web: 'Im Web sichtbar',
    public: 'Öffentlich: Alle Mitglieder können mitlesen und beitreten',
    shared: 'Privat: Neue Mitglieder sehen frühere Nachrichten',
    protected: 'Privat: Neue Mitglieder sehen nur spätere Nachrichten',
  },
}

export const groups: Texts['groups'] = {
  internet: 'Alle im Internet',
  allUsers: 'Alle, auch Gäste',
  members: 'Mitglieder',
  fullmembers: 'Vollmitglieder',
  moderators: 'Moderation und Administration',
  administrators: 'Administration',
  owners: 'Eigentümer',
  none: 'Niemand',
  gone: 'eine Gruppe, die es nicht mehr gibt',
}

export const userGroups: Texts['userGroups'] = {
  title: 'Gruppen',
  all: 'Alle Gruppen',
  about: 'Über die Gruppe',
  find: 'Gruppe suchen',
  none: 'Es gibt noch keine.',
  create: 'Gruppe erstellen',
  members: n => count(n, { one: n => `${n} Mitglied`, other: n => `${n} Mitglieder` }),
  gone: 'Diese Gruppe ist deaktiviert.',
  join: name => `${name} beitreten`,
  leave: name => `Gruppe verlassen (${name})`,
  permission: {
    can_mention_group: 'Die Gruppe erwähnen',
    can_join_group: 'Beitreten',
    can_leave_group: 'Verlassen',
    can_add_members_group: 'Mitglieder hinzufügen',
    can_remove_members_group: 'Mitglieder entfernen',
    can_manage_group: 'Die Gruppe ändern',
  },
  deactivate: 'Gruppe deaktivieren',
  reallyDeactivate: 'Wirklich deaktivieren: keine Erwähnungen und Berechtigungen mehr',
  inUse: places => `Diese Gruppe wird noch verwendet: ${places}.`,
  organization: 'Berechtigungen der Organisation',
}

export const holders: Texts['holders'] = {
  change: permission => `Gruppen und Personen auswählen: ${permission}`,
  chosen: 'Ausgewählte Gruppen und Personen',
  find: 'Gruppen und Personen suchen',
  placeholder: 'Gruppe oder Person …',
  suggestions: 'Weitere Gruppen und Personen',
  nothing: 'Keine andere Gruppe oder Person heißt so.',
  role: 'Rolle',
  group: 'Gruppe',
  added: name => `Hinzugefügt: ${name}`,
  removed: name => `Entfernt: ${name}`,
  changedMeanwhile: 'Das hat inzwischen jemand anders geändert. Du siehst jetzt den neuen Stand.',
}

export const move: Texts['move'] = {
  topicTitle: 'Thema verschieben',
  messagesTitle: 'Nachrichten verschieben',
  what: 'Was verschoben wird',
  part: {
    change_one: 'Diese Nachricht',
    change_later: 'Diese und alle späteren Nachrichten des Themas',
    change_all: 'Alle Nachrichten des Themas',
  },
  toChannel: 'In den Kanal',
  toTopic: 'In das Thema',
  notices: 'Hinweis hinterlassen',
  inOld: 'am alten Ort',
  inNew: 'am neuen Ort',
  submit: 'Verschieben',
  noMessages: 'Dieses Thema hat keine Nachrichten.',
  audience: 'Wer sie sehen wird',
  andMore: n => count(n, { one: n => `${n} weitere Person`, other: n => `${n} weitere` }),
  publicTo: (channel, n) =>
    count(n, {
      one: n => `Alle Mitglieder können #${channel} lesen; ${n} Person hat den Kanal abonniert.`,
      other: n => `Alle Mitglieder können #${channel} lesen; ${n} Personen haben den Kanal abonniert.`,
    }),
  privateTo: (channel, n) =>
    count(n, {
      one: () => `Nur das eine Mitglied von #${channel} kann sie lesen.`,
      other: n => `Nur die ${n} Mitglieder von #${channel} können sie lesen.`,
    }),
  gained: names => `Neu für ${names}.`,
  lost: names => `Nicht mehr sichtbar für ${names}.`,
}

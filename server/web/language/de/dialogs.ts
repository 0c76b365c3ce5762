import { counterOf } from '../counter.js'
import type { Texts } from '../texts.js'

const count = counterOf('de')

export const jump: Texts['jump'] = {
  title: 'Gehe zu',
  forward: 'Weiterleiten an',
  label: 'Kanal, Thema, Person oder Befehl',
  placeholder: 'Kanal, Thema, Person, Aktion, Einstellung …',
  example: 'Kanal >',
  exampleMeaning: 'listet die Themen eines Kanals auf.',
  choices: 'Orte und Befehle',
  nothing: 'Nichts heißt so.',
  notSubscribed: 'nicht abonniert',
  inChannel: channel => `in ${channel}`,
  markAllRead: 'Alles als gelesen markieren',
  ofMessage: sender => `Nachricht von ${sender}`,
}

export const about: Texts['about'] = {
  title: 'Über diese Nachricht',
  readBy: 'Gelesen von',
  noReader: 'Noch von niemand anderem.',
  changes: 'Änderungen',
  change: (name, time) => `${name}, ${time}`,
  moved: (name, time, topic) => `${name}, ${time}, verschoben nach ${topic}`,
}

export const person: Texts['person'] = {
  role: {
    100: 'Eigentümer',
    200: 'Administration',
    300: 'Moderation',
    400: 'Mitglied',
    600: 'Gast',
  },
  bot: 'Bot',
  deactivated: 'Deaktiviert',
  localTime: 'Ortszeit',
  timeInZone: (time, zone) => `${time} (${zone})`,
  email: 'E-Mail-Adresse',
  owner: 'Betreut von',
  joined: 'Dabei seit',
  groups: 'Gruppen',
  write: 'Schreiben',
  writeNote: 'Notiz an dich schreiben',
  mute: 'Stummschalten',
  editProfile: 'Profil bearbeiten',
}

export const newDirect: Texts['newDirect'] = {
  title: 'Neue Direktnachricht',
  find: 'Personen suchen',
  write: 'Schreiben',
}

export const pictures: Texts['pictures'] = {
  before: 'Vorheriges Bild',
  next: 'Nächstes Bild',
  place: (at, n) => count(n, { other: n => `${at} von ${n}` }),
  download: 'Herunterladen',
  larger: 'Größer',
  smaller: 'Kleiner',
  huge: 'eine kleinere Kopie; der Download hat alle Pixel',
  own: 'Dein Bild',
  another: 'Anderes Bild',
  crop: 'Welcher Teil des Bildes?',
  size: 'Größe',
  across: 'Links und rechts',
  down: 'Oben und unten',
  takePart: 'Diesen Teil nehmen',
  takeWhole: 'Das ganze Bild nehmen',
  icon: 'Symbol',
  iconHint: 'Quadratisch: neben dem Namen, beim Anmelden und im Browser-Tab.',
  logo: 'Logo',
  logoHint: 'Breit: anstelle von Symbol und Name.',
  night: 'Logo für dunkle Farben',
  nightHint: 'Fehlt es, wird auch bei dunklen Farben das andere Logo gezeigt.',
  removeOne: picture => `Entfernen: ${picture}`,
}

export const customEmoji: Texts['customEmoji'] = {
  example: 'party_lama',
  picture: 'Bild',
  add: 'Emoji hinzufügen',
  list: 'Emoji',
  none: 'Es gibt noch keine.',
  addedBy: name => `hinzugefügt von ${name}`,
}

export const drafts: Texts['drafts'] = {
  title: 'Entwürfe',
  none: 'Was du schreibst und nicht sendest, wird hier aufbewahrt.',
  noRecipient: 'Ohne Ziel',
  open: place => `Entwurf für ${place} öffnen`,
  delete: place => `Entwurf für ${place} löschen`,
}

export const snippets: Texts['snippets'] = {
  title: 'Textbausteine',
  none: 'Noch keine Textbausteine.',
  new: 'Neuer Textbaustein',
  nowhere: 'Öffne zuerst ein Thema oder eine Unterhaltung.',
  change: title => `${title} ändern`,
  delete: title => `${title} löschen`,
  titleField: 'Titel',
  text: 'Text',
  tooLong: by =>
    count(by, {
      one: n => `Der Text ist um ${n} Zeichen zu lang.`,
      other: n => `Der Text ist um ${n} Zeichen zu lang.`,
    }),
}

export const ownStatus: Texts['ownStatus'] = {
  title: 'Dein Status',
  text: 'Text',
  chooseEmoji: 'Emoji auswählen',
  emoji: name => `Emoji: ${name}`,
  clear: 'Löschen',
}

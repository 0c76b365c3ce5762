import { counterOf } from '../../counter.js'
import type { SettingsTexts } from '../../texts.js'

const count = counterOf('de')

export const people: SettingsTexts['people'] = {
  find: 'Name oder Adresse suchen',
  role: 'Rolle',
  allRoles: 'Alle Rollen',
  bots: 'Bots',
  state: 'Zustand',
  active: 'Aktiv',
  deactivated: 'Deaktiviert',
  count: n => count(n, { one: n => `${n} Konto`, other: n => `${n} Konten` }),
  lastSeen: day => `zuletzt aktiv: ${day}`,
  activity: 'Aktivität',
  all: 'Alle Personen',
  profile: 'Profil',
  testWelcome: 'Zur Probe an mich senden',
  welcomeSent: 'Der Willkommens-Bot hat dir geschrieben.',
  access: 'Anmeldung',
  resetPassword: 'Link für ein neues Passwort senden',
  resetMeaning: 'Das jetzige Passwort bleibt, bis die Person ein anderes setzt.',
  resetMailed: 'Der Link ist per E-Mail unterwegs. Er gilt drei Tage.',
  resetLink: 'Dieser Server verschickt keine E-Mails. Gib diesen Link weiter; er gilt drei Tage lang und nur einmal.',
  link: 'Link für ein neues Passwort',
  endSessions: 'Überall abmelden',
  reallyEndSessions: 'Wirklich abmelden',
  sessionsMeaning:
    'Beendet die Sitzungen in allen Browsern, etwa auf einem verlorenen Rechner. Der API-Schlüssel anderer Programme bleibt.',
  sessionsEnded: 'Alle Sitzungen sind beendet.',
  removeFactors: 'Zweite Faktoren entfernen',
  reallyRemoveFactors: 'Wirklich entfernen',
  factorsMeaning:
    'Für eine Person, die sie verloren hat: entfernt Authenticator-App, Passkeys und Wiederherstellungscodes und beendet alle Sitzungen.',
  factorsRemoved: 'Die zweiten Faktoren sind entfernt.',
  space: 'Platz für Dateien',
  spaceUsed: size => `Die Dateien dieses Kontos belegen ${size}.`,
  spaceQuota: 'Grenze in MiB',
  spaceMeaning: usual =>
    `Leer: wie für alle Konten (${usual}). 0: keine Grenze. Bei 80 und bei 95 Prozent bekommt die Person einen Hinweis.`,
  data: 'Daten der Person',
  deactivate: 'Konto deaktivieren',
  deactivateMeaning:
    'Die Person wird überall abgemeldet und kann sich nicht mehr anmelden. Was sie geschrieben hat, bleibt, wenn du es hier nicht löschst.',
  erase: {
    delete_profile: 'Namen, Adresse und Profil endgültig löschen',
    delete_public_channel_messages: 'Alle Nachrichten in öffentlichen Kanälen löschen',
    delete_private_channel_messages: 'Alle Nachrichten in privaten Kanälen löschen',
    delete_direct_messages: 'Alle Direktnachrichten löschen',
  },
  reallyDeactivate: 'Wirklich deaktivieren',
  reallyErase: 'Wirklich deaktivieren und das Gewählte löschen',
  reactivate: 'Konto reaktivieren',
  obstacle: {
    administrator: 'Konten ändert nur die Administration.',
    owner: 'Konten von Eigentümern ändern nur Eigentümer.',
    onlyOwner: 'Das ist der einzige Eigentümer. Gib zuerst einer anderen Person diese Rolle.',
    guest: 'Ein Gast wird zuerst Mitglied.',
  },
}

export const erasure: SettingsTexts['erasure'] = {
  title: 'Person endgültig löschen',
  meaning:
    'Löscht endgültig alles, was dieser Person gehört: Namen, Adresse, Bild, Einstellungen, Dateien, Reaktionen und den Zugang. In Erwähnungen steht dann „Deleted user“. Das lässt sich nicht rückgängig machen.',
  messages: 'Auch die Nachrichten der Person löschen; sonst bleiben sie unter dem Namen „Deleted user“',
  found: (messages, files, reactions, others) =>
    [
      messages > 0 && count(messages, { one: n => `${n} Nachricht`, other: n => `${n} Nachrichten` }),
      count(files, { one: n => `${n} Datei`, other: n => `${n} Dateien` }),
      count(reactions, { one: n => `${n} Reaktion`, other: n => `${n} Reaktionen` }),
      count(others, { one: n => `${n} weiterer Eintrag`, other: n => `${n} weitere Einträge` }),
    ]
      .filter(Boolean)
      .join(', '),
  nothing: 'Von dieser Person ist nichts mehr da.',
  pending: 'Der Server löscht gerade, was dieser Person gehört.',
  failed: 'Der Server konnte das Löschen nicht abschließen. Den Grund findet der Betreiber bei den Aufträgen.',
  confirm: name => `Gib zur Bestätigung den Namen der Person ein: ${name}`,
  erase: 'Endgültig löschen',
}

export const invitations: SettingsTexts['invitations'] = {
  byMail: 'Personen per E-Mail einladen',
  byLink: 'Link anlegen',
  open: 'Offene Einladungen',
  none: 'Es gibt keine offene Einladung.',
  link: 'Ein Link',
  notAllowed: 'Du darfst niemanden einladen.',
  noneSent: 'Es wurde keine Einladung verschickt.',
  theseNot: 'Diese Adressen können nicht eingeladen werden:',
  othersSent: 'Die anderen sind eingeladen. Diese nicht:',
  reasons: {
    invalid: 'keine E-Mail-Adresse',
    domain: 'außerhalb der Domains der Organisation',
    plusSign: 'Adressen mit Pluszeichen sind nicht erlaubt',
    tooOften: 'hat heute schon zu viele Einladungen bekommen',
    disposable: 'Wegwerfadressen sind nicht erlaubt',
    reserved: 'gehört dem Server',
    account: 'hat schon ein Konto',
    deactivated: 'hat ein deaktiviertes Konto',
  },
  never: 'bis zum Widerruf',
  forEver: 'gültig bis zum Widerruf',
  until: date => `gültig bis ${date}`,
  by: name => `von ${name}`,
  failed: 'Die E-Mail konnte nicht gesendet werden.',
  copy: 'Link kopieren',
  copied: 'Kopiert',
  resend: 'Erneut senden',
  resendOne: one => `Erneut senden: ${one}`,
  revoke: 'Widerrufen',
  revokeOne: one => `Widerrufen: ${one}`,
}

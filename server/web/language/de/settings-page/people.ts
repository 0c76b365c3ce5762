import { counterOf } from '../../counter.js'
import type { SettingsTexts } from '../../texts.js'

const count = counterOf('de')

export const people: SettingsTexts['people'] = {
  find: 'Personen nach Namen oder Adresse suchen',
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
  access: 'Anmeldung',
  resetPassword: 'Link für ein neues Passwort senden',
  resetMeaning: 'Das jetzige Passwort bleibt, bis die Person ein anderes setzt.',
  resetMailed: 'Der Link ist per E-Mail unterwegs. Er gilt drei Tage.',
  resetLink: 'Dieser Server verschickt keine E-Mails. Gib diesen Link weiter; er gilt drei Tage und einmal.',
  link: 'Link für ein neues Passwort',
  endSessions: 'Überall abmelden',
  reallyEndSessions: 'Wirklich abmelden',
  sessionsMeaning:
    'Beendet die Sitzungen in allen Browsern, etwa auf einem verlorenen Rechner. Der API-Schlüssel anderer Programme bleibt.',
  sessionsEnded: 'Alle Sitzungen sind beendet.',
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
    disposable: 'Wegwerfadressen sind nicht erlaubt',
    reserved: 'gehört dem Server',
    account: 'hat schon ein Konto',
    deactivated: 'hat ein deaktiviertes Konto',
  },
  never: 'bis zum Widerruf',
  forEver: 'gültig bis zum Widerruf',
  until: date => `gültig bis ${date}`,
  by: name => `von ${name}`,
  copy: 'Link kopieren',
  copied: 'Kopiert',
  resend: 'Erneut senden',
  resendOne: one => `Erneut senden: ${one}`,
  revoke: 'Widerrufen',
  revokeOne: one => `Widerrufen: ${one}`,
}

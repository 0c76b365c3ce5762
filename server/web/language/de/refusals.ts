import { reasonIn } from '../reason.js'
import type { Texts } from '../texts.js'
import { reasons } from './reasons.js'

export const refusal: Texts['refusal'] = {
  NOT_CONNECTED: () => 'Es besteht keine Verbindung zum Server.',
  CONNECTION_LOST: () => 'Die Verbindung ist abgebrochen, bevor die Antwort kam.',
  TIMEOUT: () => 'Der Server hat nicht rechtzeitig geantwortet.',
  CLOSED: () => 'Die Verbindung ist beendet.',
  BAD_REQUEST: text => reasonIn(reasons, text) ?? text,
  AUTHENTICATION_FAILED: () => 'E-Mail-Adresse oder Passwort ist falsch.',
  CHANNEL_ALREADY_EXISTS: () => 'Einen Kanal mit diesem Namen gibt es schon.',
  CANNOT_DEACTIVATE_LAST_USER: () => 'Das Konto des einzigen Eigentümers kann nicht deaktiviert werden.',
  CANNOT_DEACTIVATE_GROUP_IN_USE: () => 'Diese Gruppe wird noch verwendet.',
  BAD_IMAGE: () => 'Dieses Bild kann nicht gelesen werden.',
  EXPECTATION_MISMATCH: () => 'Das hat sich inzwischen geändert. Sieh es dir noch einmal an.',
  INTERNAL_ERROR: () => 'Auf dem Server ist ein Fehler aufgetreten.',
  MOVE_MESSAGES_TIME_LIMIT_EXCEEDED: () => 'Die Nachrichten sind zu alt, um sie noch zu verschieben.',
  PASSWORD_AUTH_DISABLED: () => 'Die Anmeldung mit Passwort ist hier abgeschaltet.',
  PERMISSION_DENIED: () => 'Dazu hast du keine Berechtigung.',
  RATE_LIMIT_HIT: () => 'Zu viele Anfragen. Versuche es gleich noch einmal.',
  REALM_DEACTIVATED: () => 'Diese Organisation ist deaktiviert.',
  REALM_UPLOAD_QUOTA: () => 'Der Speicherplatz der Organisation ist voll.',
  REQUEST_TOO_LARGE: () => 'Das ist zu groß.',
  SECOND_FACTOR_REQUIRED: () =>
    'Dieses Konto braucht einen zweiten Faktor. Füge ihn in den Einstellungen hinzu, oder melde dich im Browser neu an.',
  SERVER_NOT_READY: () => 'Der Server ist gerade nicht bereit. Versuche es gleich noch einmal.',
  STREAM_DOES_NOT_EXIST: () => 'Diesen Kanal gibt es nicht, oder du kannst ihn nicht sehen.',
  STREAM_WILDCARD_MENTION_NOT_ALLOWED: () => 'In diesem Kanal darfst du nicht alle erwähnen.',
  TOPIC_WILDCARD_MENTION_NOT_ALLOWED: () => 'In diesem Thema darfst du nicht alle erwähnen.',
  UNAUTHORIZED_PRINCIPAL: text => reasonIn(reasons, text) ?? 'Dazu hast du keine Berechtigung.',
  USER_DEACTIVATED: () => 'Dieses Konto ist deaktiviert.',
}

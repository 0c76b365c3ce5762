import { counterOf } from '../counter.js'
import type { Texts } from '../texts.js'

const count = counterOf('de')

export const signIn: Texts['signIn'] = {
  title: 'Anmelden',
  place: organization => `bei ${organization}`,
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  submit: 'Anmelden',
  busy: 'Anmeldung läuft …',
  accounts: 'Konten legt an, wer diesen Server betreibt.',
  demonstration: 'Dies ist eine Demo. Anmelden als',
  unreachable: 'Der Server ist nicht erreichbar.',
  answered: status => `Der Server hat mit ${status} geantwortet.`,
  tooMany: minutes =>
    count(minutes, {
      one: () => 'Zu viele Versuche. Versuche es in einer Minute noch einmal.',
      other: n => `Zu viele Versuche. Versuche es in ${n} Minuten noch einmal.`,
    }),
  ended: 'Deine Sitzung ist abgelaufen. Bitte melde dich neu an.',
  connectionEnded: reason => `Die Verbindung wurde beendet: ${reason}.`,
}

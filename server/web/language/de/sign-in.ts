import { counterOf } from '../counter.js'
import type { Texts } from '../texts.js'

const count = counterOf('de')

export const signIn: Texts['signIn'] = {
  unreachable: 'Der Server ist nicht erreichbar.',
  answered: status => `Der Server hat mit ${status} geantwortet.`,
  tooMany: minutes =>
    count(minutes, {
      one: () => 'Zu viele Versuche. Versuche es in einer Minute noch einmal.',
      other: n => `Zu viele Versuche. Versuche es in ${n} Minuten noch einmal.`,
    }),
}

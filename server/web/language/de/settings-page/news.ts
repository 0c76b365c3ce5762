import { counterOf } from '../../counter.js'
import type { SettingsTexts } from '../../texts.js'

const count = counterOf('de')
const messages = (n: number) => count(n, { one: n => `${n} Nachricht`, other: n => `${n} Nachrichten` })
const people = (n: number) => count(n, { one: n => `${n} Person`, other: n => `${n} Personen` })
const topics = (n: number) => count(n, { one: n => `${n} Thema`, other: n => `${n} Themen` })

export const news: SettingsTexts['news'] = {
  title: channel => `Neu in ${channel}`,
  count: (m, p, t) => `${messages(m)} von ${people(p)} in ${topics(t)}`,
  since: moment => `seit ${moment}.`,
  messages,
  mentions: 'Erwähnen dich',
  decisions: 'Entscheidungen: mit ✅, ✔ oder ☑ markiert',
  resolved: 'Erledigt',
}

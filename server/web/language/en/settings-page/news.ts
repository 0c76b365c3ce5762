import { counterOf } from '../../counter.js'

const count = counterOf('en')
const messages = (n: number) => count(n, { one: n => `${n} message`, other: n => `${n} messages` })
const people = (n: number) => count(n, { one: n => `${n} person`, other: n => `${n} people` })
const topics = (n: number) => count(n, { one: n => `${n} topic`, other: n => `${n} topics` })

/** What happened in a channel since the user read it. */
export const news = {
  title: (channel: string) => `New in ${channel}`,
  count: (m: number, p: number, t: number) => `${messages(m)} of ${people(p)} in ${topics(t)}`,
  since: (moment: string) => `since ${moment}.`,
  messages,
  mentions: 'Mention you',
  decisions: 'Decisions: marked with ✅, ✔ or ☑',
  resolved: 'Resolved',
}

import { channelUrl, topicUrl } from '../../../shared/resources/hash-links.js'
import { realmSettingDefaults } from '../../../shared/resources/realm-settings.js'
import type { MailContent } from '../../job-types/mail.js'
import type { Letter, MailLanguage, Paragraph, Sender, Template } from '../template.js'
import { timeIn } from '../times.js'

type Digest = Extract<MailContent, { kind: 'digest' }>
type Topic = Digest['topics'][number]

interface Words {
  readonly subject: (organization: string) => string
  readonly away: (organization: string) => string
  readonly long: string
  readonly others: (count: number, names: string) => string
  readonly and: string
  readonly open: string
  readonly newChannels: string
  readonly moreChannels: (count: number) => string
  readonly reason: string
  readonly settings: string
}

const en: Words = {
  subject: organization => `What happened at ${organization}`,
  away: organization => `You were away for some days. This is what happened at ${organization} meanwhile.`,
  long: '(A long message)',
  others: (count, names) =>
    `${count === 1 ? 'One more message' : `${count} more messages`}${names && `; ${names} wrote here`}.`,
  and: ' and ',
  open: 'Open the topic',
  newChannels: 'New channels',
  moreChannels: count => (count === 1 ? 'There is one more.' : `There are ${count} more.`),
  reason: 'You get this mail because you were away for five days. It comes once a week at most.',
  settings: 'Change which mails you get',
}

const de: Words = {
  subject: organization => `Das war los bei ${organization}`,
  away: organization => `Du warst einige Tage nicht da. Das ist inzwischen bei ${organization} passiert.`,
  long: '(Eine lange Nachricht)',
  others: (count, names) =>
    `${count === 1 ? 'Noch eine Nachricht' : `Noch ${count} Nachrichten`}${names && `; es schrieben ${names}`}.`,
  and: ' und ',
  open: 'Thema öffnen',
  newChannels: 'Neue Kanäle',
  moreChannels: count => (count === 1 ? 'Es gibt noch einen.' : `Es gibt noch ${count}.`),
  reason: 'Du erhältst diese E-Mail, weil du fünf Tage nicht da warst. Sie kommt höchstens einmal in der Woche.',
  settings: 'Ändern, welche E-Mails du erhältst',
}

export const digest: Template<'digest'> = {
  en: (values, sender) => letter(values, sender, 'en', en),
  de: (values, sender) => letter(values, sender, 'de', de),
}

function letter(
  { topics, channels, moreChannels, zone }: Digest,
  sender: Sender,
  language: MailLanguage,
  words: Words,
) {
  const fresh: Paragraph[] = channels.map(({ channelId, name }) => ({
    action: `#${name}`,
    link: sender.url + channelUrl({ stream_id: channelId, name }),
  }))
  const more = moreChannels === 0 ? [] : [words.moreChannels(moreChannels)]
  return {
    subject: words.subject(sender.organization),
    body: [
      words.away(sender.organization),
      ...topics.flatMap(topic => topicOf(topic, { sender, language, words, zone })),
      ...(fresh.length === 0 ? [] : [{ heading: words.newChannels }, ...fresh, ...more]),
    ],
    footer: [words.reason, { action: words.settings, link: `${sender.url}/#settings/notifications` }],
  } satisfies Letter
}

interface Place {
  readonly sender: Sender
  readonly language: MailLanguage
  readonly words: Words
  readonly zone: string
}

function topicOf({ channelId, channel, topic, ...rest }: Topic, { sender, language, words, zone }: Place): Paragraph[] {
  const name = topic === '' ? realmSettingDefaults.empty_topic_display_name : topic
  const messages = rest.messages.map(one => {
    const time = timeIn(new Date(one.time * 1000).toISOString(), language, zone)
    return { by: one.sender === '' ? time : `${one.sender} · ${time}`, html: one.html ?? `<p>${words.long}</p>`, zone }
  })
  const open = { action: words.open, link: sender.url + topicUrl({ stream_id: channelId, name: channel }, topic) }
  const others = rest.others === 0 ? [] : [words.others(rest.others, listed(rest.senders, words.and))]
  return [{ heading: `#${channel} > ${name}` }, ...messages, ...others, open]
}

/** `a, b and c`. */
const listed = (names: readonly string[], and: string): string =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')}${and}${names.at(-1)}`

import { dmUrl, messageUrl } from '../../../shared/resources/hash-links.js'
import { realmSettingDefaults } from '../../../shared/resources/realm-settings.js'
import { resolvedPrefix, topicKey } from '../../../shared/resources/topic.js'
import type { MailContent, MailConversation, MissedReason } from '../../job-types/mail.js'
import type { Letter, MailLanguage, Paragraph, Sender, Template } from '../template.js'
import { timeIn } from '../times.js'

type Missed = Extract<MailContent, { kind: 'missed_messages' }>

interface Words {
  readonly newMessages: string
  readonly hidden: (organization: string) => string
  readonly hiddenBy: Readonly<Record<'account' | 'organization', string>>
  readonly resolved: string
  readonly direct: (names: string) => string
  readonly group: (names: string) => string
  readonly names: (first: string, others: number) => string
  readonly more: (count: number) => string
  readonly open: string
  readonly openChat: string
  readonly reasons: Readonly<Record<MissedReason, string>>
  readonly mayReply: string
  readonly mayNotReply: string
  readonly settings: string
}

const en: Words = {
  newMessages: 'New messages',
  hidden: organization => `There are new messages for you at ${organization}.`,
  hiddenBy: {
    account: 'This mail does not show them, because your settings keep the content of messages out of mails.',
    organization: 'This mail does not show them, because the organization keeps the content of messages out of mails.',
  },
  resolved: '[resolved] ',
  direct: names => `DMs with ${names}`,
  group: names => `Group DMs with ${names}`,
  names: (first, others) => `${first} and ${others} others`,
  more: count => (count === 1 ? 'There is one more message.' : `There are ${count} more messages.`),
  open: 'Open the conversation',
  openChat: 'Open the chat',
  reasons: {
    direct_message: 'You get this mail because you received direct messages while you were away.',
    mention: 'You get this mail because you, or a group of yours, were mentioned.',
    topic_wildcard_in_followed_topic:
      'You get this mail because all participants of a topic that you follow were mentioned.',
    channel_wildcard_in_followed_topic:
      'You get this mail because all people were mentioned in a topic that you follow.',
    topic_wildcard: 'You get this mail because all participants of the topic were mentioned.',
    channel_wildcard: 'You get this mail because all people in the channel were mentioned.',
    followed_topic: 'You get this mail because you follow the topic.',
    channel: 'You get this mail because you have email notifications for the channel.',
  },
  mayReply: 'Your reply to this mail becomes a message in the conversation.',
  mayNotReply: 'Please do not reply to this mail: answers to it are not read.',
  settings: 'Change which mails you get',
}

const de: Words = {
  newMessages: 'Neue Nachrichten',
  hidden: organization => `Bei ${organization} gibt es neue Nachrichten für dich.`,
  hiddenBy: {
    account: 'Diese E-Mail zeigt sie nicht, weil deine Einstellungen Inhalte von Nachrichten in E-Mails ausschließen.',
    organization: 'Diese E-Mail zeigt sie nicht, weil die Organisation Inhalte von Nachrichten in E-Mails ausschließt.',
  },
  resolved: '[erledigt] ',
  direct: names => `Direktnachrichten mit ${names}`,
  group: names => `Gruppennachrichten mit ${names}`,
  names: (first, others) => `${first} und ${others} weiteren`,
  more: count => (count === 1 ? 'Es gibt noch eine Nachricht.' : `Es gibt noch ${count} Nachrichten.`),
  open: 'Unterhaltung öffnen',
  openChat: 'Chat öffnen',
  reasons: {
    direct_message: 'Du erhältst diese E-Mail, weil du in deiner Abwesenheit Direktnachrichten bekommen hast.',
    mention: 'Du erhältst diese E-Mail, weil du oder eine deiner Gruppen erwähnt wurde.',
    topic_wildcard_in_followed_topic:
      'Du erhältst diese E-Mail, weil alle Beteiligten eines Themas erwähnt wurden, dem du folgst.',
    channel_wildcard_in_followed_topic:
      'Du erhältst diese E-Mail, weil in einem Thema, dem du folgst, alle erwähnt wurden.',
    topic_wildcard: 'Du erhältst diese E-Mail, weil alle Beteiligten des Themas erwähnt wurden.',
    channel_wildcard: 'Du erhältst diese E-Mail, weil alle im Kanal erwähnt wurden.',
    followed_topic: 'Du erhältst diese E-Mail, weil du dem Thema folgst.',
    channel: 'Du erhältst diese E-Mail, weil du für den Kanal Benachrichtigungen per E-Mail bekommst.',
  },
  mayReply: 'Deine Antwort auf diese E-Mail wird zu einer Nachricht in der Unterhaltung.',
  mayNotReply: 'Bitte antworte nicht auf diese E-Mail: Antworten darauf werden nicht gelesen.',
  settings: 'Ändern, welche E-Mails du erhältst',
}

export const missedMessages: Template<'missed_messages'> = {
  en: (values, sender) => letter(values, sender, 'en', en),
  de: (values, sender) => letter(values, sender, 'de', de),
}

function letter(values: Missed, sender: Sender, language: MailLanguage, words: Words): Letter {
  const { contentHidden, conversation, namesOrganization, replyTo } = values
  const suffix = namesOrganization ? ` [${sender.organization}]` : ''
  const reason = words.reasons[values.reason]
  const settings: Paragraph = { action: words.settings, link: `${sender.url}/#settings/notifications` }
  if (contentHidden !== undefined) {
    const open = { action: words.openChat, link: `${sender.url}/` }
    const body = [words.hidden(sender.organization), words.hiddenBy[contentHidden], open]
    return { subject: words.newMessages + suffix, body, footer: [reason, words.mayNotReply, settings] }
  }
  const messages = values.messages.map(one => messageOf(one, values.zone, language))
  const left = values.others === 0 ? [] : [words.more(values.others)]
  const open = { action: words.open, link: sender.url + pathOf(values) }
  return {
    subject: subjectOf(conversation, words) + suffix,
    body: [...messages, ...left, open],
    footer: [reason, replyTo === null ? words.mayNotReply : words.mayReply, settings],
    replyTo,
    thread: threadOf(conversation),
  }
}

const messageOf = (
  { sender, time, html, isContext }: Missed['messages'][number],
  zone: string,
  language: MailLanguage,
) => ({
  by: `${sender} · ${timeIn(new Date(time * 1000).toISOString(), language, zone)}`,
  html,
  isContext,
  zone,
})

const namesInSubject = 3

function subjectOf(conversation: MailConversation, words: Words): string {
  if (conversation.type === 'direct') {
    const { names } = conversation
    const first = names.slice(0, namesInSubject).join(', ')
    const all = names.length > namesInSubject ? words.names(first, names.length - namesInSubject) : first
    return names.length > 1 ? words.group(all) : words.direct(all)
  }
  const { channel, topic } = conversation
  const isResolved = topic.startsWith(resolvedPrefix)
  const name = isResolved ? topic.slice(resolvedPrefix.length) : topic
  const shown = name === '' ? realmSettingDefaults.empty_topic_display_name : name
  return `${isResolved ? words.resolved : ''}#${channel} > ${shown}`
}

/** The first message that the reader missed, in its conversation. */
function pathOf({ conversation, messages, missed }: Missed): string {
  const first = messages.find(one => !one.isContext)?.id ?? missed?.[0] ?? 0
  if (conversation.type === 'direct') return dmUrl(conversation.userIds, first)
  const { channelId, channel, topic } = conversation
  return messageUrl({ stream_id: channelId, name: channel }, topic, first)
}

function threadOf(conversation: MailConversation): string {
  if (conversation.type === 'direct') return `direct ${conversation.userIds.toSorted((a, b) => a - b).join()}`
  const { channelId, topic } = conversation
  return `topic ${channelId} ${topicKey(topic.startsWith(resolvedPrefix) ? topic.slice(resolvedPrefix.length) : topic)}`
}

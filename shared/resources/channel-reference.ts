import { channelUrl, topicUrl } from './hash-links.js'

// What `#**channel>topic**` cannot hold: its own signs, those of code and formulas, and in the end of a topic the id of a message.
const unfitForChannel = /[*>`\n]|\$\$/
const unfitForTopic = /[*`\n]|\$\$|@\d+$/

/**
 * Markdown that leads to a channel, or to a topic of it: `#**channel>topic**`, or a link with an address where a name has characters that
 * would mean something else (docs/protocol/message-html.md#links-to-channels-topics-and-messages).
 */
export function channelReference(channel: { stream_id: number; name: string }, topic?: string): string {
  const isFit = !unfitForChannel.test(channel.name) && (topic === undefined || !unfitForTopic.test(topic))
  if (isFit) return `#**${channel.name}${topic === undefined ? '' : `>${topic}`}**`
  const text = topic ? `#${channel.name} > ${topic}` : `#${channel.name}`
  return `[${withoutMarkup(text)}](${topic === undefined ? channelUrl(channel) : topicUrl(channel, topic)})`
}

/** Text in which no character is Markdown: those that could be are written as character references. */
const withoutMarkup = (text: string): string =>
  text.replace(/[&<>*`[\]$@#\\|:~]/g, character => `&#${character.codePointAt(0)};`)

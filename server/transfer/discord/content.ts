import { firstText, inside, type Loose, listOf, textOf } from '../loose.js'
import { type DiscordNames, discordMarkdown, fenced } from './markdown.js'

interface Referring {
  readonly names: DiscordNames
  /** The id of the person whose message this one answers, if it is known. */
  readonly answered: string | undefined
  /** The address of a message. */
  message(id: string): string | undefined
}

/** The Markdown of a message, without its files. */
export function contentOf(message: Loose, { names, answered, message: addressOf }: Referring): string {
  const text = textOf(message.content)
  const forwarded = inside(message.forwardedMessage)
  const address = addressOf(firstText(inside(message.reference).messageId))
  const head = message.type === 'Reply' ? answerText(address, names.person(answered ?? '')) : ''
  const body = joined([
    discordMarkdown(text, names),
    ...listOf(message.embeds).map(one => embed(inside(one), text, names)),
    quoted(bodyOf(forwarded, names)),
    ...listOf(message.stickers).map(one => `*(Sticker: ${inLabel(firstText(inside(one).name))})*`),
  ])
  return head === '' ? body : `${head}\n${body}`
}

const joined = (parts: readonly string[]): string => parts.filter(part => part.trim() !== '').join('\n\n')

const bodyOf = ({ content, embeds }: Loose, names: DiscordNames): string => {
  const text = textOf(content)
  return joined([discordMarkdown(text, names), ...listOf(embeds).map(one => embed(inside(one), text, names))])
}

/** Whose words a message answers, without a notice to that person. */
function answerText(address: string | undefined, person: string | undefined): string {
  const who = person?.replace(/^@\*\*/, '@_**')
  if (address === undefined) return who === undefined ? '' : `${who} said:`
  return who === undefined ? `[In answer to a message](${address}):` : `${who} [said](${address}):`
}

const quoted = (text: string): string => (text === '' ? '' : fenced('quote', text))

/** A message of an integration. Previews of websites to which the text links are left out. */
function embed(one: Loose, text: string, names: DiscordNames): string {
  const url = firstText(one.url)
  if (url !== '' && text.includes(url)) return ''
  const markdown = (value: unknown) => discordMarkdown(textOf(value), names)
  const title = link(url, firstText(one.title))
  const { name, url: authorUrl } = inside(one.author)
  return joined([
    link(firstText(authorUrl), firstText(name)),
    title === '' ? '' : `**${title}**`,
    markdown(one.description),
    listOf(one.fields)
      .map(field => inside(field))
      .map(field => `**${inLabel(firstText(field.name))}**: ${markdown(field.value)}`)
      .join('\n'),
    ...listOf(one.images)
      .map(image => firstText(inside(image).url))
      .filter(address => /^https?:/.test(address)),
    markdown(inside(one.footer).text),
  ])
}

function link(url: string, label: string): string {
  const shown = inLabel(label)
  if (!/^https?:/.test(url)) return shown
  return `[${shown === '' ? url : shown}](${url.replace(/[\s)]/g, encodeURIComponent)})`
}

/** Without what would end a label, or emphasis. */
const inLabel = (text: string): string => text.replace(/[[\]*\n]/g, ' ').trim()

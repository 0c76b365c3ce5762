import { emojiNameOf } from '../emoji-name.js'
import { firstText, inside, type Loose, listOf, textOf } from '../loose.js'
import { noReferences, type References, type SourceEmoji } from '../source.js'
import { emojiCharacterOf } from './emoji.js'
import { mrkdwn } from './mrkdwn.js'
import { keyOfPermalink } from './permalinks.js'
import { plain } from './plain-text.js'
import { richText } from './rich-text.js'
import { linkText, type SlackNames } from './slack-names.js'

/** The Markdown of a message, without its files. `aliases`: names of custom emoji that stand for others. */
export function contentOf(message: Loose, references: References, aliases: ReadonlyMap<string, string>): string {
  const names = namesOf(references, aliases, labelsIn(textOf(message.text)))
  const subtype = firstText(message.subtype)
  if (huddles.includes(subtype)) return huddleText(inside(message.room))
  const text = joined([
    bodyOf(message, names),
    ...listOf(message.attachments).map(one => attachment(inside(one), names)),
  ])
  return subtype === 'me_message' ? `/me ${text}` : text
}

/** The Markdown of a channel's purpose. */
export const descriptionIn = (text: string): string => mrkdwn(text, namesOf(noReferences, new Map()))

const huddles = ['sh_room_created', 'huddle_thread']

/** Blocks come before the text, which is what devices show that do not know blocks. */
function bodyOf(message: Loose, names: SlackNames): string {
  const blocks = joined(listOf(message.blocks).map(block => blockText(inside(block), names)))
  return blocks === '' ? mrkdwn(textOf(message.text), names) : blocks
}

const joined = (parts: readonly string[]): string => parts.filter(part => part.trim() !== '').join('\n\n')
const lines = (parts: readonly string[]): string => parts.filter(part => part.trim() !== '').join('\n')

function huddleText({ date_start, date_end }: Loose): string {
  const minutes = (Number(date_end) - Number(date_start)) / 60
  return minutes > 0 && Number.isFinite(minutes)
    ? `/me started a huddle (${Math.ceil(minutes)} minutes)`
    : '/me started a huddle'
}

function blockText(block: Loose, names: SlackNames): string {
  switch (block.type) {
    case 'rich_text':
      return richText(block, names)
    case 'header':
      return `# ${objectText(block.text, names).replaceAll('\n', ' ')}`
    case 'section':
      return joined([objectText(block.text, names), ...listOf(block.fields).map(field => objectText(field, names))])
    case 'context':
      return listOf(block.elements)
        .map(one => objectText(one, names))
        .join(' ')
    case 'divider':
      return '---'
    case 'markdown':
      return textOf(block.text)
    case 'image':
      return link(firstText(block.image_url), firstText(inside(block.title).text, block.alt_text), names)
    case 'video':
      return link(
        firstText(block.title_url, block.video_url),
        firstText(inside(block.title).text, block.alt_text),
        names,
      )
    case 'table':
      return tableText(block, names)
  }
  return ''
}

/** A text object, or a picture in a line of context. */
function objectText(value: unknown, names: SlackNames): string {
  const object = inside(value)
  if (object.type === 'image') return plain(firstText(object.alt_text))
  return object.type === 'mrkdwn' ? mrkdwn(textOf(object.text), names) : plain(textOf(object.text))
}

function tableText(block: Loose, names: SlackNames): string {
  const rows = listOf(block.rows).map(row =>
    listOf(row).map(cell => {
      const { type, text } = inside(cell)
      const content = type === 'rich_text' ? richText(inside(cell), names) : plain(textOf(text))
      return content.replaceAll('|', '¦').replace(/\s+/g, ' ')
    }),
  )
  const width = Math.max(0, ...rows.map(row => row.length))
  const [head, ...rest] = rows.map(row => `| ${Array.from({ length: width }, (_, i) => row[i] ?? '').join(' | ')} |`)
  return head === undefined ? '' : [head, `|${' --- |'.repeat(width)}`, ...rest].join('\n')
}

/** A message of an integration, or what another one quotes. Previews of websites are left out. */
function attachment(one: Loose, names: SlackNames): string {
  if (one.is_share === true || one.is_msg_unfurl === true) return quoted(one, names)
  if (one.from_url !== undefined) return ''
  const fields = lines(listOf(one.fields).map(field => fieldText(inside(field), names)))
  const blocks = joined(listOf(one.blocks).map(block => blockText(inside(block), names)))
  const text = blocks === '' ? mrkdwn(textOf(one.text), names) : blocks
  const whole = joined([
    mrkdwn(textOf(one.pretext), names),
    link(firstText(one.author_link), firstText(one.author_name), names),
    bold(link(firstText(one.title_link), firstText(one.title), names)),
    text,
    fields,
    link(firstText(one.image_url), '', names),
    plain(firstText(one.footer)),
  ])
  return whole === '' ? plain(firstText(one.fallback)) : whole
}

const bold = (text: string): string => (text === '' ? '' : `**${text}**`)

function fieldText({ title, value }: Loose, names: SlackNames): string {
  const name = firstText(title)
  const text = mrkdwn(textOf(value), names)
  return name === '' ? text : `**${plain(name)}**: ${text}`
}

function link(url: string, label: string, names: SlackNames): string {
  return url === '' ? plain(label) : linkText(names, url, label)
}

function quoted(one: Loose, names: SlackNames): string {
  const blocks = listOf(one.message_blocks).flatMap(block => listOf(inside(inside(block).message).blocks))
  const ofBlocks = joined(blocks.map(block => blockText(inside(block), names)))
  const text = ofBlocks === '' ? mrkdwn(textOf(one.text), names) : ofBlocks
  const author = firstText(one.author_name, one.author_subname)
  const head = [plain(author), link(firstText(one.from_url), 'said', names)].filter(part => part !== '').join(' ')
  return joined([`${head}:`, text.replace(/^/gm, '> ')])
}

function namesOf(
  references: References,
  aliases: ReadonlyMap<string, string>,
  labels: ReadonlyMap<string, string> = new Map(),
): SlackNames {
  const named = (sign: string, id: string, label: string) =>
    plain(sign + firstText(label, labels.get(id), id).replace(/^[@#]/, ''))
  return {
    user: (id, label) => references.person(id) ?? named('@', id, label),
    channel: (id, label) => references.channel(id) ?? named('#', id, label),
    group: (id, label) => named('@', id, label),
    emoji: name => emojiCharacterOf(standardName(name, aliases)) ?? `:${emojiNameOf(name)}:`,
    address: url => references.message(keyOfPermalink(url) ?? '') ?? url,
    // Imported messages notify no user.
    all: references.all ?? '@_**all**',
  }
}

/** Names beside ids, which blocks do not have. */
const labelsIn = (text: string): Map<string, string> =>
  new Map(
    [...text.matchAll(/<(?:[@#]|!subteam\^)(\w{1,30})\|([^<>|\n]{1,100})>/g)].map(([, id = '', label = '']) => [
      id,
      label,
    ]),
  )

// More aliases of aliases than people make; a circle ends here.
const mostSteps = 10

/** The name behind aliases. */
export function standardName(name: string, aliases: ReadonlyMap<string, string>): string {
  let found = name
  for (let i = 0; i < mostSteps; i++) {
    const next = aliases.get(found)
    if (next === undefined) break
    found = next
  }
  return found
}

/** The custom emoji with pictures; an alias of one has the same picture. */
export function emojiIn(emoji: Loose, aliases: ReadonlyMap<string, string>): SourceEmoji[] {
  return Object.keys(emoji).flatMap(name => {
    const address = firstText(emoji[standardName(name, aliases)])
    const known = emojiNameOf(name)
    if (known === '' || !/^https?:/.test(address)) return []
    return { name: known, picture: { at: 'download', bytes: 0, address } as const }
  })
}

/** The targets of `alias:name` among the custom emoji. */
export function aliasesIn(emoji: Loose): Map<string, string> {
  return new Map(
    Object.entries(emoji).flatMap(([name, value]): [string, string][] => {
      const [, target] = /^alias:(.+)$/s.exec(textOf(value)) ?? []
      return target === undefined ? [] : [[name, target]]
    }),
  )
}

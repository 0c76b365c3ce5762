import type { Directory } from '../../memory/directory.js'
import { channelIdOf, userIdOf } from './ids.js'

/** Code stays as it is; then mentions, links, and the marks of one word or more. Alternatives begin with different characters, so each is tried once. */
const marks =
  /(```[\s\S]*?```|`[^`\n]+`)|@(_?)\*\*([^*\n]{1,200})\*\*|#\*\*([^*\n>]{1,200})\*\*|\[([^[\]\n]{1,500})\]\((https?:\/\/[^\s()]{1,2000})\)|\*\*([^*\n]{1,2000})\*\*|\*([^*\s\n](?:[^*\n]{0,2000}[^*\s\n])?)\*|~~([^~\n]{1,2000})~~/g

// What keeps the marks of a text of Slack from meaning something here.
const wordJoiner = /\u2060/g

/** The text in Slack's markup of a message in Markdown. */
export function mrkdwnOf(directory: Directory, markdown: string): string {
  const text = markdown.replace(wordJoiner, '')
  let out = ''
  let end = 0
  for (const match of text.matchAll(marks)) {
    out += escaped(text.slice(end, match.index)) + shown(directory, match)
    end = match.index + match[0].length
  }
  return out + escaped(text.slice(end))
}

function shown(directory: Directory, match: RegExpMatchArray): string {
  const [all, code, , person, channel, label, url, bold, italic, struck] = match
  if (code !== undefined) return escaped(code)
  if (person !== undefined) return personOf(directory, person) ?? escaped(all)
  if (channel !== undefined) return channelOf(directory, channel) ?? escaped(all)
  if (url !== undefined) return `<${escaped(url)}|${escaped(label ?? '')}>`
  if (bold !== undefined) return `*${escaped(bold)}*`
  if (italic !== undefined) return `_${escaped(italic)}_`
  return `~${escaped(struck ?? '')}~`
}

const wildcards: ReadonlySet<string> = new Set(['all', 'everyone', 'channel', 'stream'])

/** Undefined: it names no user, or several. */
function personOf(directory: Directory, named: string): string | undefined {
  if (wildcards.has(named)) return '<!channel>'
  const [, , byId] = /^(.*)\|(\d{1,9})$/.exec(named) ?? []
  if (byId !== undefined) return `<@${userIdOf(Number(byId))}>`
  const [user, other] = directory.usersNamed(named)
  return user && !other ? `<@${userIdOf(user.id)}>` : undefined
}

function channelOf(directory: Directory, name: string): string | undefined {
  const channel = directory.channelNamed(name)
  return channel && `<#${channelIdOf(channel.id)}|${escaped(channel.name)}>`
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const escaped = (text: string): string => text.replace(/[&<>]/g, sign => entities[sign] as string)

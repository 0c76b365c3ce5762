import type { Directory } from '../../memory/directory.js'
import type { References, SourceFile, SourceMessage } from '../source.js'
import type { Here } from './here.js'

/** How messages refer to what the archive names. `messages`: ids by keys. */
export function referencesOf(
  directory: Directory,
  { people, channels, groups }: Here,
  messages: ReadonlyMap<string, number>,
): References {
  return {
    person: key => {
      const user = directory.users.get(people.get(key) ?? -1)
      return user && `@**${user.full_name}|${user.id}**`
    },
    channel: (key, topic) => {
      const channel = channels.get(key)
      return channel && `#**${channel.name}${topic === undefined ? '' : `>${topic}`}**`
    },
    group: key => {
      const group = groups.get(key)
      return group && `@*${group.name}*`
    },
    id: (kind, key) => ({ person: people.get(key), channel: channels.get(key)?.id, message: messages.get(key) })[kind],
    file: fileLine,
    message: key => {
      const id = messages.get(key)
      return id === undefined ? undefined : `/#narrow/near/${id}`
    },
  }
}

/** The Markdown of a message with its files: links, and lines that say why a file is not here. */
export function contentOf(message: SourceMessage, names: References): string {
  const text = message.content(names)
  const behind = message.files.filter(one => one.label === undefined)
  return [...(text.trim() === '' ? [] : [text]), ...behind.map(fileLine)].join('\n')
}

function fileLine(file: SourceFile): string {
  const label = file.label ?? file.name
  if (file.at === 'link') return `[${inLabel(label)}](${file.address.replace(/[\s)]/g, encodeURIComponent)})`
  return file.at === 'nowhere' ? lostLine(label, file.why) : waitingLine(label)
}

/** What a message says in place of a file that is not here yet, and of one that will not come. */
export const waitingLine = (name: string): string => lostLine(name, 'not here yet')
export const lostLine = (name: string, why: string): string => `*(${inLabel(name) || 'A file'}: ${why}.)*`

/** The link to a file that is here. `name`: of the link. */
export const storedLine = (name: string, pathId: string): string =>
  `[${inLabel(name) || 'file'}](/user_uploads/${pathId})`

/** Without what would end a label, or emphasis. */
const inLabel = (name: string): string => name.replace(/[[\]*\n]/g, ' ').trim()

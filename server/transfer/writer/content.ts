import type { Directory } from '../../memory/directory.js'
import type { References, SourceFile, SourceMessage } from '../source.js'
import type { Here } from './here.js'

/** How messages mention people and channels here. `addresses`: of messages, by their keys. */
export function referencesOf(
  directory: Directory,
  { people, channels }: Here,
  addresses: ReadonlyMap<string, string>,
): References {
  return {
    person: key => {
      const user = directory.users.get(people.get(key) ?? -1)
      return user && `@**${user.full_name}|${user.id}**`
    },
    channel: key => {
      const channel = channels.get(key)
      return channel && `#**${channel.name}**`
    },
    message: key => addresses.get(key),
  }
}

/** The Markdown of a message with its files: links, and lines that say why a file is not here. */
export function contentOf(message: SourceMessage, names: References): string {
  const text = message.content(names)
  return [...(text.trim() === '' ? [] : [text]), ...message.files.map(fileLine)].join('\n')
}

function fileLine(file: SourceFile): string {
  if (file.at === 'link') return `[${inLabel(file.name)}](${file.address.replace(/[\s)]/g, encodeURIComponent)})`
  return file.at === 'nowhere' ? lostLine(file.name, file.why) : waitingLine(file.name)
}

/** What a message says in place of a file that is not here yet, and of one that will not come. */
export const waitingLine = (name: string): string => lostLine(name, 'not here yet')
export const lostLine = (name: string, why: string): string => `*(${inLabel(name) || 'A file'}: ${why}.)*`

/** The link to a file that is here. */
export const storedLine = (name: string, pathId: string): string =>
  `[${inLabel(name) || 'file'}](/user_uploads/${pathId})`

/** Without what would end a label, or emphasis. */
const inLabel = (name: string): string => name.replace(/[[\]*\n]/g, ' ').trim()

import type { Directory } from '../../memory/directory.js'
import type { References, SourceFile, SourceMessage } from '../source.js'
import type { Here } from './here.js'

/** How messages mention people and channels here. */
export function referencesOf(directory: Directory, { people, channels }: Here): References {
  return {
    person: key => {
      const user = directory.users.get(people.get(key) ?? -1)
      return user && `@**${user.full_name}|${user.id}**`
    },
    channel: key => {
      const channel = channels.get(key)
      return channel && `#**${channel.name}**`
    },
  }
}

/** The Markdown of a message with its files: links, and lines that say why a file is not here. */
export function contentOf(message: SourceMessage, names: References): string {
  const text = message.content(names)
  return [...(text.trim() === '' ? [] : [text]), ...message.files.map(fileLine)].join('\n')
}

function fileLine(file: SourceFile): string {
  const name = inLabel(file.name)
  if (file.at === 'link') return `[${name}](${file.address.replace(/[\s)]/g, encodeURIComponent)})`
  if (file.at === 'nowhere') return `*(${name === '' ? 'A file' : name}: ${file.why}.)*`
  return `*(${name}: not imported.)*`
}

/** Without what would end a label, or emphasis. */
const inLabel = (name: string): string => name.replace(/[[\]*\n]/g, ' ').trim()

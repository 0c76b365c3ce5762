import type { NewImportFile } from '../../store/imports/import-files.js'
import type { ImportedMessage } from '../../store/imports/imported-messages.js'
import type { SourceBytes, SourceMessage } from '../source.js'
import { waitingLine } from './content.js'

/** The files of a message that come after it. `stored`: the message, its further parts, and its copy. */
export function filesIn({ files }: SourceMessage, stored: readonly ImportedMessage[]): NewImportFile[] {
  // The last one comes first: of equal lines in a text, `replaceLine` takes the last.
  return [...files].reverse().flatMap((file): NewImportFile[] => {
    if (file.at !== 'archive' && file.at !== 'download') return []
    const { name, bytes, label = '' } = file
    const line = waitingLine(label || name)
    const [message_id = null, copy_id = null] = stored
      .filter(({ content }) => content.includes(line))
      .map(({ id }) => id)
    return [{ message_id, copy_id, person: null, name, label, bytes, line, ...placeOf(file) }]
  })
}

/** Where the bytes are. */
export function placeOf(file: SourceBytes): Pick<NewImportFile, 'entry' | 'address' | 'host'> {
  if (file.at === 'archive') return { entry: file.entry, address: null, host: '' }
  const host = URL.canParse(file.address) ? new URL(file.address).hostname : ''
  return { entry: null, address: file.address, host }
}

import type { NewImportFile } from '../../store/imports/import-files.js'
import type { ImportedMessage } from '../../store/imports/imported-messages.js'
import type { SourceBytes, SourceMessage } from '../source.js'
import { waitingLine } from './content.js'

/** The files of a message that come after it. `stored`: the message, its further parts, and its copy. */
export function filesIn({ files }: SourceMessage, stored: readonly ImportedMessage[]): NewImportFile[] {
  const waiting = files.flatMap((file): NewImportFile[] => {
    if (file.at !== 'archive' && file.at !== 'download') return []
    const { name, bytes, label = '' } = file
    const line = waitingLine(label || name)
    const [message_id = null, copy_id = null] = stored
      .filter(({ content }) => content.includes(line))
      .map(({ id }) => id)
    return [{ message_id, copy_id, person: null, name, label, bytes, line, ...placeOf(file) }]
  })
  // Of equal lines in a text `replaceLine` takes the last, so the file of the last one comes first.
  const byLine = new Map<string, NewImportFile[]>()
  for (const one of waiting) byLine.set(one.line, [...(byLine.get(one.line) ?? []), one])
  return waiting.flatMap(({ line }) => byLine.get(line)?.pop() ?? [])
}

/** Where the bytes are. */
export function placeOf(file: SourceBytes): Pick<NewImportFile, 'entry' | 'address' | 'host'> {
  if (file.at === 'archive') return { entry: file.entry, address: null, host: '' }
  const host = URL.canParse(file.address) ? new URL(file.address).hostname : ''
  return { entry: null, address: file.address, host }
}

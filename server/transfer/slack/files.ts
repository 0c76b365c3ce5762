import { firstText, inside, type Loose, listOf, recordOf } from '../loose.js'
import type { SourceFile } from '../source.js'

export type Uploads = ReadonlyMap<string, { readonly entry: string; readonly bytes: number }>

const hidden = 'hidden by the plan of the source'
const withoutAddress = 'without an address'
const deleted = 'deleted at the source'
const unreachable: ReadonlyMap<string, string> = new Map([
  ['tombstone', deleted],
  ['file_not_found', deleted],
  ['hidden_by_limit', hidden],
  ['access_denied', 'not readable for the author of the archive'],
])

/** The files of a message. `uploads`: the files whose bytes are in the archive, by their ids. */
export function filesOf(message: Loose, uploads: Uploads): SourceFile[] {
  const files = listOf(message.files)
  // Archives of the time before 2018 have one file.
  const all = files.length > 0 ? files : [message.file]
  return all.flatMap(file => {
    const record = recordOf(file)
    return record ? fileOf(record, uploads) : []
  })
}

function fileOf(file: Loose, uploads: Uploads): SourceFile {
  const name = firstText(file.name, file.title, file.id, 'file')
  const bytes = typeof file.size === 'number' && file.size > 0 ? file.size : 0
  const upload = uploads.get(firstText(file.id))
  if (upload) return { name, at: 'archive', ...upload }
  const why = unreachable.get(firstText(file.mode)) ?? unreachable.get(firstText(file.file_access))
  if (why !== undefined) return { name: firstText(file.name, file.title), at: 'nowhere', why }
  if (file.is_external === true || firstText(file.mode) === 'external') {
    const address = firstText(file.external_url, file.url_private, file.permalink)
    return address === '' ? { name, at: 'nowhere', why: withoutAddress } : { name, at: 'link', address }
  }
  const address = firstText(file.url_private_download, file.url_private)
  return address === '' ? { name, at: 'nowhere', why: withoutAddress } : { name, at: 'download', bytes, address }
}

/** A message of a comment on a file names its author in the comment or the file. */
export const authorInFile = (message: Loose): string =>
  firstText(inside(message.comment).user, inside(message.file).user)

import { statSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { ArchiveEntries } from '../../../server/admin/backup/archive-entries.js'
import { sealBytes } from '../../../server/admin/backup/seal.js'

/** The entries of a small archive, as texts by their names. */
export async function readEntries(file: string): Promise<Record<string, string>> {
  const entries = new ArchiveEntries(file, statSync(file).size - sealBytes)
  const read: Record<string, string> = {}
  for (let next = await entries.peek(); next; next = await entries.peek()) {
    await entries.take(next.name)
    read[next.name] = await text(next.chunks)
  }
  return read
}

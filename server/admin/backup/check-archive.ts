import { statSync } from 'node:fs'
import type { Progress } from '../progress.js'
import type { Header, Manifest } from './format.js'
import { ignoring, readArchive } from './read-archive.js'
import { requireSeal } from './seal.js'

/** An archive whose seal and contents have been checked. */
export interface CheckedArchive {
  readonly file: string
  /** Number of bytes before the seal. */
  readonly end: number
  readonly header: Header
  readonly manifest: Manifest
}

/** Reads the whole archive and changes nothing. @throws {AdminError} if it is damaged, is none, or is of a newer release */
export async function checkArchive(file: string, progress: Progress): Promise<CheckedArchive> {
  progress.begin(`checking ${file}`, statSync(file, { throwIfNoEntry: false })?.size ?? 1)
  const end = await requireSeal(file, progress.advance)
  progress.end()
  let header: Header | undefined
  const manifest = await readArchive(file, end, {
    ...ignoring,
    async begin(given) {
      header = given
    },
  })
  if (!header) throw new Error('the archive has no header')
  return { file, end, header, manifest }
}

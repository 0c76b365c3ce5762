import { open } from 'node:fs/promises'
import type { Archive } from './archive.js'
import type { Faults } from './faults.js'
import { PlainArchive } from './plain-archive.js'
import { UnusableArchive } from './source.js'
import { TarArchive } from './tar-archive.js'
import { ZipArchive } from './zip-archive.js'

/** Opens an archive by what it begins with. @throws {UnusableArchive} */
export async function openArchive(file: string, faults: Faults): Promise<Archive> {
  const head = await headOf(file)
  if (head.startsWith('PK')) return ZipArchive.open(file, faults)
  if (head.startsWith('\x1f\x8b')) return TarArchive.open(file, { isPacked: true, faults })
  if (head.startsWith('ustar', 257)) return TarArchive.open(file, { isPacked: false, faults })
  const plain = plainNames.find(([beginning]) => beginning.test(head))
  if (plain) return PlainArchive.open(file, plain[1])
  throw new UnusableArchive(`${file} is neither a ZIP or tar archive nor a known file of messages.`)
}

// Without an archive around it, a file may have lost its name.
const plainNames: readonly (readonly [RegExp, string])[] = [
  [/^(?:\xef\xbb\xbf)?\s*\{\s*"type"\s*:/, 'import.jsonl'],
  [/^(?:\xef\xbb\xbf)?\s*\{\s*"guild"\s*:/, 'channel [0].json'],
]

const headBytes = 512

/** The first bytes, as Latin-1. */
async function headOf(file: string): Promise<string> {
  try {
    const handle = await open(file)
    try {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0)
      return buffer.toString('latin1', 0, bytesRead)
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw new UnusableArchive(`${file} cannot be read: ${(error as Error).message}.`)
  }
}

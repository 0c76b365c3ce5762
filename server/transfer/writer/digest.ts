import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { UnusableArchive } from '../source.js'

/** SHA-256 of a file. @throws {UnusableArchive} */
export async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  try {
    for await (const piece of createReadStream(file, { highWaterMark: 1024 * 1024 })) hash.update(piece as Buffer)
  } catch (error) {
    throw new UnusableArchive(`${file} cannot be read: ${(error as Error).message}.`)
  }
  return hash.digest('hex')
}

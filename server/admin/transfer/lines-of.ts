import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { AdminError } from '../admin-error.js'

// No line of an export comes near this: a file without line breaks must not fill the memory.
const longest = 64 * 1024 * 1024

/**
 * The lines of a file, `-`: of standard input; one that ends in `.gz` is uncompressed. The next piece is read when the
 * lines of this one have been taken. @throws {AdminError}
 */
export async function* linesOf(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  let number = 1
  try {
    for await (const chunk of bytesOf(file)) {
      const pieces = (rest + decoder.decode(chunk as Buffer, { stream: true })).split('\n')
      rest = pieces.pop() ?? ''
      for (const line of pieces) {
        yield line
        number++
      }
      if (rest.length > longest) throw new AdminError(`Line ${number} is longer than any line of an export.`)
    }
    rest += decoder.decode()
  } catch (error) {
    if (error instanceof AdminError) throw error
    const reason =
      (error as { code?: string }).code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
        ? 'it is not UTF-8'
        : String((error as Error).message)
    throw new AdminError(`${file} cannot be read from line ${number} on: ${reason}.`, 'UNREADABLE')
  }
  if (rest !== '') yield rest
}

function bytesOf(file: string): AsyncIterable<unknown> {
  if (file === '-') return process.stdin
  const source = createReadStream(file)
  if (!file.endsWith('.gz')) return source
  const unpacked = createGunzip()
  // The reader hears of both ends through the one that it reads.
  source.on('error', error => unpacked.destroy(error))
  return source.pipe(unpacked)
}

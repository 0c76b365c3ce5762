import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { AdminError } from '../admin-error.js'

// Characters. No line of an export is nearly as long; bounds the memory for a file without line breaks.
const longest = 64 * 1024 * 1024

/**
 * The lines of a file, or for `-` of standard input; a `.gz` file is decompressed. Reads the next chunk when the caller has taken the lines
 * of the previous one. `onBytes` receives the number of bytes read from the file. @throws {AdminError}
 */
export async function* linesOf(file: string, onBytes: (count: number) => void = () => {}): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  let number = 1
  try {
    for await (const chunk of bytesOf(file, onBytes)) {
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

function bytesOf(file: string, onBytes: (count: number) => void): AsyncIterable<unknown> {
  const bytes = counted(file === '-' ? process.stdin : createReadStream(file), onBytes)
  if (!file.endsWith('.gz')) return bytes
  const source = Readable.from(bytes)
  const unpacked = createGunzip()
  // The reader sees errors of the source through the decompressed stream.
  source.on('error', error => unpacked.destroy(error))
  return source.pipe(unpacked)
}

async function* counted(source: AsyncIterable<Buffer>, onBytes: (count: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    onBytes(chunk.length)
    yield chunk
  }
}

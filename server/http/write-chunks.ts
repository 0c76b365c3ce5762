import type { HttpResponse } from 'uWebSockets.js'
import { LentBytes } from '../concurrency/json-buffers.js'
import type { JsonBytes } from './answer.js'

/**
 * Writes a body of several chunks, each as far as the connection accepts it, and the rest once it is writable again. A slow client
 * therefore costs no copy of a body that others share. Must be called corked, after the headers.
 */
export function writeChunks(res: HttpResponse, { chunks, length }: JsonBytes, closes: boolean): void {
  if (closes) {
    res.end(Buffer.concat(chunks), true)
    giveBack(chunks)
    return
  }
  let index = 0
  // Offset of the chunk in the body, in bytes.
  let start = 0
  const write = (offset: number): boolean => {
    for (let chunk = chunks[index]; chunk; chunk = chunks[++index]) {
      const [isTaken, isOver] = res.tryEnd(chunk.subarray(Math.max(0, offset - start)), length)
      if (isOver) return true
      if (!isTaken) return false
      start += chunk.length
    }
    return true
  }
  const writeRest = (offset: number): boolean => {
    const isWritten = write(offset)
    if (isWritten) giveBack(chunks)
    return isWritten
  }
  // uWebSockets does not call this after the client is gone.
  if (!writeRest(0)) res.onWritable(writeRest)
}

/** The body of these chunks is written, or compressed. */
export function giveBack(chunks: readonly Uint8Array[]): void {
  for (const chunk of chunks) if (chunk instanceof LentBytes) chunk.giveBack()
}

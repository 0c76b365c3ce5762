import type { HttpResponse } from 'uWebSockets.js'
import type { JsonBytes } from './answer.js'

/**
 * Writes a body of several chunks, each as far as the connection accepts it, and the rest once it is writable again. A slow client
 * therefore costs no copy of a body that others share. Must be called corked, after the headers.
 */
export function writeChunks(res: HttpResponse, { chunks, length }: JsonBytes, closes: boolean): void {
  if (closes) {
    res.end(Buffer.concat(chunks), true)
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
  if (write(0)) return
  // uWebSockets does not call this after the client is gone.
  res.onWritable(write)
}

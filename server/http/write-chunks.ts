import type { HttpResponse } from 'uWebSockets.js'
import type { JsonBytes } from './answer.js'

/**
 * Writes a body of several pieces, each as far as the connection accepts it, and the rest once it is writable again. A slow client
 * therefore costs no copy of a body that others share. Must be called corked, after the headers.
 */
export function writePieces(res: HttpResponse, { pieces, length }: JsonBytes, closes: boolean): void {
  if (closes) {
    res.end(Buffer.concat(pieces), true)
    return
  }
  let index = 0
  // Offset of the piece in the body, in bytes.
  let start = 0
  const write = (offset: number): boolean => {
    for (let piece = pieces[index]; piece; piece = pieces[++index]) {
      const [isTaken, isOver] = res.tryEnd(piece.subarray(Math.max(0, offset - start)), length)
      if (isOver) return true
      if (!isTaken) return false
      start += piece.length
    }
    return true
  }
  if (write(0)) return
  // uWebSockets does not call this after the client is gone.
  res.onWritable(write)
}

import type { HttpResponse } from 'uWebSockets.js'

/** The connection of one answer, and whether its client is still there. */
export interface Peer {
  readonly res: HttpResponse
  readonly isGone: boolean
  /** Called once when the client leaves. */
  onGone: (() => void) | undefined
}

/**
 * Sends a body of `length` bytes as fast as the client takes it; the head has been written. Stops when the client leaves. A source that
 * fails, or ends early, closes the connection: the client sees that bytes are missing.
 */
export async function sendChunks(peer: Peer, chunks: AsyncIterable<Uint8Array>, length: number): Promise<void> {
  let sent = 0
  try {
    for await (const chunk of chunks) {
      if (peer.isGone) return
      await sendChunk(peer, chunk, sent, length)
      sent += chunk.length
    }
  } catch (error) {
    if (!peer.isGone) peer.res.close()
    throw error
  }
}

function sendChunk(peer: Peer, chunk: Uint8Array, before: number, length: number): Promise<void> | undefined {
  const { res } = peer
  let isTaken = false
  res.cork(() => {
    isTaken = res.tryEnd(chunk as Uint8Array<ArrayBuffer>, length)[0]
  })
  if (isTaken) return undefined
  return new Promise(resolve => {
    peer.onGone = resolve
    res.onWritable(offset => {
      const [taken, isOver] = res.tryEnd(chunk.subarray(offset - before) as Uint8Array<ArrayBuffer>, length)
      if (taken || isOver) resolve()
      return taken
    })
  })
}

import type { HttpResponse } from 'uWebSockets.js'

/** The connection of one answer, and whether its client is still there. */
interface Peer {
  readonly res: HttpResponse
  readonly isGone: boolean
  /** Called once when the client leaves. */
  onGone: (() => void) | undefined
}

/**
 * Sends a body of `length` bytes, or until its end, as fast as the client takes it; the head has been written. Stops when the client
 * leaves. A source that fails, or ends early, closes the connection: the client sees that bytes are missing.
 */
export async function sendChunks(
  peer: Peer,
  chunks: AsyncIterable<Uint8Array>,
  length: number | undefined,
): Promise<void> {
  let sent = 0
  try {
    for await (const chunk of chunks) {
      if (peer.isGone) return
      await (length === undefined ? writeChunk(peer, chunk) : sendChunk(peer, chunk, sent, length))
      sent += chunk.length
    }
  } catch (error) {
    if (!peer.isGone) peer.res.close()
    throw error
  }
  if (length === undefined && !peer.isGone) peer.res.cork(() => peer.res.end())
}

function sendChunk(peer: Peer, chunk: Uint8Array, before: number, length: number): Promise<void> | undefined {
  const { res } = peer
  let isTaken = false
  res.cork(() => {
    isTaken = res.tryEnd(chunk as Uint8Array<ArrayBuffer>, length)[0]
  })
  if (isTaken) return undefined
  return untilTaken(peer, offset => res.tryEnd(chunk.subarray(offset - before) as Uint8Array<ArrayBuffer>, length))
}

/** The chunk is in the connection's buffer in any case; the next one waits until the client has taken it. */
function writeChunk(peer: Peer, chunk: Uint8Array): Promise<void> | undefined {
  const { res } = peer
  let isTaken = false
  res.cork(() => {
    isTaken = res.write(chunk as Uint8Array<ArrayBuffer>)
  })
  return isTaken ? undefined : untilTaken(peer, () => [true, false])
}

/** Resolves when the client has taken a chunk, or has left. `proceed` sends what is left of it. */
async function untilTaken(
  peer: Peer,
  proceed: (offset: number) => readonly [isTaken: boolean, isOver: boolean],
): Promise<void> {
  const { onGone } = peer
  await new Promise<void>(resolve => {
    peer.onGone = () => {
      onGone?.()
      resolve()
    }
    peer.res.onWritable(offset => {
      const [isTaken, isOver] = proceed(offset)
      if (isTaken || isOver) resolve()
      return isTaken
    })
  })
  peer.onGone = onGone
}

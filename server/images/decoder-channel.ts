import type { Readable, Writable } from 'node:stream'

/** A message between a worker and its decoder. */
export interface Message {
  /** JSON. */
  readonly head: unknown
  readonly bytes: Buffer
}

const lengthBytes = 4

/**
 * Sends a message: the lengths of head and bytes, the head, the bytes. The channel of `fork` would copy the bytes of a picture three times.
 * @returns a promise that is fulfilled when the kernel has the message, or the other process has ended
 */
export function sendMessage(to: Writable, head: unknown, bytes: readonly Buffer[] = []): Promise<void> {
  const json = Buffer.from(JSON.stringify(head))
  const lengths = Buffer.alloc(2 * lengthBytes)
  lengths.writeUInt32BE(json.length)
  lengths.writeUInt32BE(
    bytes.reduce((sum, one) => sum + one.length, 0),
    lengthBytes,
  )
  to.cork()
  for (const chunk of [lengths, json, ...bytes]) to.write(chunk)
  const sent = new Promise<void>(resolve => to.write('', () => resolve()))
  to.uncork()
  return sent
}

/** The messages that arrive, until the other process ends. @throws {Error} for one with more than `mostBytes` */
export async function* readMessages(from: Readable, mostBytes: number): AsyncGenerator<Message> {
  const chunks = from[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let rest: Buffer = Buffer.alloc(0)
  /** The next bytes, each copied once; undefined: the stream ends before. */
  const take = async (length: number): Promise<Buffer | undefined> => {
    const taken = Buffer.allocUnsafeSlow(length)
    for (let filled = 0; filled < length; ) {
      if (rest.length === 0) {
        const next = await chunks.next()
        if (next.done) return undefined
        rest = next.value
      }
      const copied = rest.copy(taken, filled)
      filled += copied
      rest = rest.subarray(copied)
    }
    return taken
  }
  for (;;) {
    const lengths = await take(2 * lengthBytes)
    if (!lengths) return
    const [head, bytes] = [lengths.readUInt32BE(0), lengths.readUInt32BE(lengthBytes)]
    if (head + bytes > mostBytes) throw new Error(`a message of ${head + bytes} bytes`)
    const json = await take(head)
    const data = json && (await take(bytes))
    if (!data) return
    yield { head: JSON.parse(json.toString()), bytes: data }
  }
}

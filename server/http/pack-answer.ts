import { type Answer, type Header, JsonBytes, sizeOf } from './answer.js'
import { codingFor, refusesIdentity } from './content-coding.js'
import { hasShared, type Packer } from './packer.js'
import { giveBack } from './write-chunks.js'

// Bytes. A shorter answer fits into a few packets.
const leastPacked = 8 * 1024
/** The same of a long poll, whose events often go to many clients at once. */
export const leastPackedPoll = 32 * 1024

const varies: Header = ['Vary', 'Accept-Encoding']

/**
 * Compresses a large answer for a client with this Accept-Encoding; a promise where a thread does it. The answer itself, where it is short
 * or secret (docs/security.md#compressed-answers), or the client or the threads do not take it.
 */
export function packAnswer(packer: Packer, answer: Answer, accepted: string): Answer | Promise<Answer> {
  if (answer.isSecret) return answer
  const size = sizeOf(answer)
  const isLarge = size >= (answer.leastPacked ?? leastPacked)
  if (size === 0 || !(isLarge || refusesIdentity(accepted))) return answer
  const plain = { ...answer, headers: [...answer.headers, varies] }
  if (accepted === '') return plain
  const chunks = chunksOf(answer.body)
  const coding = codingFor(accepted, hasShared(chunks) ? ['gzip', 'br'] : ['br', 'gzip'])
  const packed = coding && packer.pack(chunks, coding)
  if (!packed) return plain
  const done = (body: readonly Uint8Array[]): Answer => {
    giveBack(chunks)
    return { ...plain, body: new JsonBytes(body), headers: [...plain.headers, ['Content-Encoding', coding]] }
  }
  return packed instanceof Promise ? packed.then(done) : done(packed)
}

/** Only sockets have answers that are values. */
function chunksOf(body: Answer['body']): readonly Uint8Array[] {
  if (body instanceof JsonBytes) return body.chunks
  return [typeof body === 'string' ? Buffer.from(body) : (body as Uint8Array)]
}

import { type Codec, pack } from '../../shared/wire/codec.js'
import type { FrameId } from '../../shared/wire/frames.js'
import { type Answer, JsonBytes, sizeOf } from '../http/answer.js'

/** A reply contains the same body as the HTTP answer; as JSON it is the same text. */
export function encodeReply(codec: Codec, id: FrameId, answer: Answer): string | Uint8Array {
  const { status, body } = answer
  if (codec === 'msgpack') return pack({ op: 'reply', id, status, body })
  const head = headOf(id, answer)
  return body instanceof JsonBytes ? Buffer.concat(chunksOf(head, body)) : `${head}${body as string}}`
}

// Bytes. On a slow network a shorter frame takes less than 0.1 s.
const leastPacked = 16 * 1024

/** The chunks of a reply that is worth to be compressed; undefined: it is not. */
export function largeReply(codec: Codec, id: FrameId, answer: Answer): readonly Uint8Array[] | undefined {
  if (codec === 'json' && sizeOf(answer) < leastPacked) return undefined
  if (codec === 'json' && answer.body instanceof JsonBytes) return chunksOf(headOf(id, answer), answer.body)
  const frame = encodeReply(codec, id, answer)
  if (frame.length < leastPacked) return undefined
  return [typeof frame === 'string' ? Buffer.from(frame) : frame]
}

const headOf = (id: FrameId, { status }: Answer): string =>
  `{"op":"reply","id":${JSON.stringify(id)},"status":${status},"body":`

const chunksOf = (head: string, { chunks }: JsonBytes): readonly Uint8Array[] => [
  Buffer.from(head),
  ...chunks,
  Buffer.from('}'),
]

export function encodeError(codec: Codec, code: string, msg: string): string | Uint8Array {
  const frame = { op: 'error', code, msg }
  return codec === 'msgpack' ? pack(frame) : JSON.stringify(frame)
}

import { type Codec, pack } from '../../../shared/wire/codec.js'
import type { FrameId } from '../../../shared/wire/frames.js'
import type { Answer } from '../reply.js'

/** A reply carries exactly the body that REST gives; as JSON it is that text itself. */
export function encodeReply(codec: Codec, id: FrameId, { status, body }: Answer): string | Uint8Array {
  if (codec === 'msgpack') return pack({ op: 'reply', id, status, body })
  return `{"op":"reply","id":${JSON.stringify(id)},"status":${status},"body":${body as string}}`
}

export function encodeError(codec: Codec, code: string, msg: string): string | Uint8Array {
  const frame = { op: 'error', code, msg }
  return codec === 'msgpack' ? pack(frame) : JSON.stringify(frame)
}

import { type Codec, pack } from '../../shared/wire/codec.js'
import type { FrameId } from '../../shared/wire/frames.js'
import { type Answer, JsonBytes } from '../http/answer.js'

/** A reply contains the same body as the HTTP answer; as JSON it is the same text. */
export function encodeReply(codec: Codec, id: FrameId, { status, body }: Answer): string | Uint8Array {
  if (codec === 'msgpack') return pack({ op: 'reply', id, status, body })
  const head = `{"op":"reply","id":${JSON.stringify(id)},"status":${status},"body":`
  return body instanceof JsonBytes
    ? Buffer.concat([Buffer.from(head), ...body.chunks, Buffer.from('}')])
    : `${head}${body as string}}`
}

export function encodeError(codec: Codec, code: string, msg: string): string | Uint8Array {
  const frame = { op: 'error', code, msg }
  return codec === 'msgpack' ? pack(frame) : JSON.stringify(frame)
}

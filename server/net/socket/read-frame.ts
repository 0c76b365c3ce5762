import { isUtf8 } from 'node:buffer'
import { type Codec, unpack } from '../../../shared/wire/codec.js'
import { type ClientFrame, clientFrame } from '../../../shared/wire/frames.js'
import { readAck } from './read-ack.js'

/** A frame, or what is wrong with it: one sentence for the client's author. */
export function readFrame(codec: Codec, bytes: ArrayBuffer, isBinary: boolean): ClientFrame | string {
  if (isBinary !== (codec === 'msgpack')) {
    return codec === 'msgpack' ? 'This socket takes binary frames only.' : 'This socket takes text frames only.'
  }
  const acknowledged = readAck(codec, new Uint8Array(bytes))
  if (acknowledged !== undefined) return { op: 'ack', last_event_id: acknowledged }
  let value: unknown
  try {
    value = codec === 'msgpack' ? unpack(copy(bytes)) : parse(bytes)
  } catch {
    return codec === 'msgpack' ? 'The frame is not one MessagePack value.' : 'The frame is not valid JSON.'
  }
  const parsed = clientFrame.safeParse(withoutNulls(value))
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const place = issue?.path.map(String).join('.')
  return place ? `${place}: ${issue?.message}` : 'A frame is an object with an op.'
}

/** A field that is null is left out: MessagePack has no undefined, and libraries write nil for it. */
function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  for (const [name, field] of Object.entries(value)) {
    if (field === null) delete (value as Record<string, unknown>)[name]
  }
  return value
}

/** The native memory is gone after the handler, and what is unpacked may still point into it. */
const copy = (bytes: ArrayBuffer) => new Uint8Array(bytes.slice(0))

function parse(bytes: ArrayBuffer): unknown {
  const buffer = Buffer.from(bytes)
  if (!isUtf8(buffer)) throw new SyntaxError('not UTF-8')
  return JSON.parse(buffer.toString('utf8'))
}

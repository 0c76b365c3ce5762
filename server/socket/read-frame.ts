import { isUtf8 } from 'node:buffer'
import { ApiError } from '../../shared/errors.js'
import { type Codec, unpack } from '../../shared/wire/codec.js'
import { type ClientFrame, clientFrame } from '../../shared/wire/frames.js'
import { parseJson } from '../text/bounded-json.js'
import { requirePackedBounds } from './packed-bounds.js'

/** A frame, or one sentence about what is wrong with it, for the client's developer. */
export function readFrame(codec: Codec, bytes: ArrayBuffer, isBinary: boolean): ClientFrame | string {
  if (isBinary !== (codec === 'msgpack')) {
    return codec === 'msgpack' ? 'This socket takes binary frames only.' : 'This socket takes text frames only.'
  }
  let value: unknown
  try {
    value = codec === 'msgpack' ? unpackBounded(bytes) : parse(bytes)
  } catch (thrown) {
    if (thrown instanceof ApiError) return thrown.message
    return codec === 'msgpack' ? 'The frame is not one MessagePack value.' : 'The frame is not valid JSON.'
  }
  const parsed = clientFrame.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const place = issue?.path.map(String).join('.')
  return place ? `${place}: ${issue?.message}` : 'A frame is an object with an op.'
}

function unpackBounded(bytes: ArrayBuffer): unknown {
  requirePackedBounds(new Uint8Array(bytes))
  // uWebSockets frees the memory after the handler, and unpacked values may refer to it.
  return unpack(new Uint8Array(bytes.slice(0)))
}

function parse(bytes: ArrayBuffer): unknown {
  const buffer = Buffer.from(bytes)
  if (!isUtf8(buffer)) throw new SyntaxError('not UTF-8')
  return parseJson(buffer.toString('utf8'))
}

import { type Codec, pack, unpack } from '../wire/codec.js'
import type { ClientFrame, ServerFrame } from '../wire/frames.js'

/** The WebSocket subprotocol of a codec. */
export const subprotocolOf = (codec: Codec): string => `chat.v1.${codec}`

export function encodeFrame(frame: ClientFrame, codec: Codec): string | Uint8Array<ArrayBuffer> {
  return codec === 'msgpack' ? (pack(frame) as Uint8Array<ArrayBuffer>) : JSON.stringify(frame)
}

/** The WebSocket message type identifies the codec: text is JSON, bytes are MessagePack. */
export function decodeFrame(data: string | ArrayBuffer): ServerFrame {
  return (typeof data === 'string' ? JSON.parse(data) : unpack(new Uint8Array(data))) as ServerFrame
}

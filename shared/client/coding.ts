import { type Codec, pack, unpack } from '../wire/codec.js'
import type { ClientFrame, ServerFrame } from '../wire/frames.js'

/** The WebSocket subprotocols to offer. A server that does not compress replies takes the second of two. */
export function subprotocolsFor(codec: Codec, isCompressed: boolean): string[] {
  const plain = `chat.v1.${codec}`
  // Without the class of the platform nothing could read compressed frames.
  return isCompressed && 'DecompressionStream' in globalThis ? [`${plain}.gzip`, plain] : [plain]
}

export function encodeFrame(frame: ClientFrame, codec: Codec): string | Uint8Array<ArrayBuffer> {
  return codec === 'msgpack' ? (pack(frame) as Uint8Array<ArrayBuffer>) : JSON.stringify(frame)
}

// The first byte of gzip; a frame of MessagePack is a map, which begins otherwise.
const gzipByte = 0x1f

export const isCompressed = (data: string | ArrayBuffer): data is ArrayBuffer =>
  typeof data !== 'string' && new Uint8Array(data, 0, 1)[0] === gzipByte

/** @throws if the bytes are not gzip of a frame. */
export async function decompressFrame(data: ArrayBuffer, codec: Codec): Promise<ServerFrame> {
  const answer = new Response(new Blob([data]).stream().pipeThrough(new DecompressionStream('gzip')))
  return codec === 'json' ? ((await answer.json()) as ServerFrame) : decodeFrame(await answer.arrayBuffer())
}

/** The WebSocket message type identifies the codec: text is JSON, bytes are MessagePack. */
export function decodeFrame(data: string | ArrayBuffer): ServerFrame {
  return (typeof data === 'string' ? JSON.parse(data) : unpack(new Uint8Array(data))) as ServerFrame
}

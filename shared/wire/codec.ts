import { Packr, Unpackr } from 'msgpackr'

/** The encoding of frames on one socket. */
export type Codec = 'json' | 'msgpack'

// Without records, so that any MessagePack library can decode the bytes. 64-bit integers become numbers, since all
// values are below 2^53.
const packr = new Packr({ useRecords: false, encodeUndefinedAsNil: true })
const unpackr = new Unpackr({ useRecords: false, mapsAsObjects: true, int64AsType: 'number' })

/** MessagePack bytes of one value; the caller may modify them. */
export function pack(value: unknown): Uint8Array {
  return packr.pack(value)
}

/** @throws when the bytes are not one whole MessagePack value. */
export function unpack(bytes: Uint8Array): unknown {
  return unpackr.unpack(bytes)
}

import { Packr, Unpackr } from 'msgpackr'

/** How frames travel on one socket. */
export type Codec = 'json' | 'msgpack'

// Plain maps, no records: any MessagePack library can read what we send. 64-bit integers come back as numbers, since
// all of ours are below 2^53.
const packr = new Packr({ useRecords: false, encodeUndefinedAsNil: true })
const unpackr = new Unpackr({ useRecords: false, mapsAsObjects: true, int64AsType: 'number' })

/** MessagePack bytes of one value; the caller owns them. */
export function pack(value: unknown): Uint8Array {
  return packr.pack(value)
}

/** @throws when the bytes are not one whole MessagePack value. */
export function unpack(bytes: Uint8Array): unknown {
  return unpackr.unpack(bytes)
}

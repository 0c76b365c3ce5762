import { promisify } from 'node:util'
import { constants, deflateRaw } from 'node:zlib'

const deflate = promisify(deflateRaw)

/** Compressed bytes that can stand anywhere in a stream of DEFLATE: they refer to nothing before them and end at a byte. */
export const deflated = (bytes: Uint8Array, level: number): Promise<Uint8Array> =>
  deflate(bytes, { level, finishFlush: constants.Z_FULL_FLUSH })

/** Of the first form of bytes that many answers share: 9 % smaller than level 1, for twice its time. */
const sharedLevel = 6

/**
 * Bytes that many answers share, which must not be modified.
 *
 * Source: the bytes.
 * Version: none, they never change.
 * Bound: one compressed form, a fraction of the bytes themselves.
 * Dropped: with the bytes.
 */
export class SharedBytes extends Uint8Array<ArrayBuffer> {
  private packed: Promise<Uint8Array> | undefined

  /** Parts of it are plain arrays. */
  static get [Symbol.species](): Uint8ArrayConstructor {
    return Uint8Array
  }

  /** The whole of a buffer that nothing else changes. */
  static around({ buffer, byteOffset, length }: Buffer<ArrayBuffer>): SharedBytes {
    return new SharedBytes(buffer, byteOffset, length)
  }

  /** Compressed once, when the first client asks for it. */
  deflated(): Promise<Uint8Array> {
    this.packed ??= deflated(this, sharedLevel)
    return this.packed
  }
}

import { randomBytes } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { createGzip, gzipSync } from 'node:zlib'
import type { Ctx } from '../../ctx.js'
import { logFailure } from '../../failures/log-failure.js'
import type { ExportScope } from '../../store/exports/export-scope.js'
import type { ExportRow } from '../../store/exports/exports.js'
import { announceFile, dropAnnounced } from '../../store/files/loose-files.js'
import { paddingOf, tarHead } from './tar.js'

/** What is being exported, for those that write parts of the archive. */
export interface ExportWork {
  readonly ctx: Ctx
  readonly row: ExportRow
  readonly scope: ExportScope
  readonly signal: AbortSignal
  /** The id of the first message, of any scope. */
  readonly first: number
  /** The one directory at the top of the archive. */
  readonly directory: string
}

/** Where a part of the archive begins; stored as JSON. */
export interface ArchivePlace {
  readonly step: ArchiveStep
  /** Of messages and uploaded files: the last id of the step so far. */
  readonly after: number
  /** The last number of a file of messages. */
  readonly file: number
  /** Messages so far. */
  readonly messages: number
  /** Clients of the messages so far, in the order of their first message: the id of a client is its position, from 1. */
  readonly clients: readonly string[]
  /** Ids of uploaded files whose bytes the store does not have. */
  readonly missing: readonly number[]
}

export type ArchiveStep = 'messages' | 'attachments' | 'uploads' | 'records' | 'pictures' | 'tables' | 'end' | 'over'

export const firstPlace: ArchivePlace = { step: 'messages', after: 0, file: 0, messages: 0, clients: [], missing: [] }

/** A part of the archive: `head`, then the pieces. */
export interface ArchivePart {
  /** Bytes are good until the next piece is asked for. */
  readonly pieces: AsyncIterable<string | Uint8Array>
  /** Runs what reads the pieces. */
  during?<T>(reading: () => Promise<T>): Promise<T>
  /** Asked for when all pieces are written. */
  head(): Uint8Array
  /** Where the next part begins, when all pieces are written. */
  next(): ArchivePlace
}

// Of gzip: a higher one costs more CPU than the bytes are worth.
const level = 3
// With this mark the compressor asks for a chunk when it has read the one before.
const packed = { level, writableHighWaterMark: 1 }
const chunkBytes = 64 * 1024
const noHead = new Uint8Array()

export const compressed = (bytes: Uint8Array): Uint8Array => (bytes.length === 0 ? noHead : gzipSync(bytes, { level }))

/**
 * Stores the pieces, compressed, under a new key; returns key and size. The caller adopts the key.
 * @throws {StorageFailure}; the error of the pieces. Nothing is stored then.
 */
export async function storePieces(
  { ctx, row, signal }: ExportWork,
  number: number,
  pieces: ArchivePart['pieces'],
): Promise<{ key: string; size: number }> {
  const key = `exports/${row.id}/${number}-${randomBytes(9).toString('base64url')}`
  await announceFile(ctx.sql, key)
  const zip = createGzip(packed)
  const packing = pipeline(encoded(pieces), zip, { signal })
  // Errors of the pieces reach the store through `zip`; an error of the store breaks the pipeline off.
  packing.catch(() => undefined)
  try {
    const size = await ctx.storage.write(key, zip)
    await packing
    return { key, size }
  } catch (error) {
    await dropAnnounced(ctx.sql, key).catch(failure => logFailure(ctx, failure, 'a part of an export stays for a day'))
    throw error
  }
}

/** The pieces as bytes. A chunk is good until the next one is asked for: strings become bytes in one buffer, whose garbage would otherwise fill the memory. */
async function* encoded(pieces: ArchivePart['pieces']): AsyncGenerator<Uint8Array> {
  const [encoder, chunk] = [new TextEncoder(), new Uint8Array(chunkBytes)]
  for await (const piece of pieces) {
    if (typeof piece !== 'string') {
      if (piece.length > 0) yield piece
      continue
    }
    for (let rest = piece; rest !== ''; ) {
      const { read, written } = encoder.encodeInto(rest, chunk)
      yield chunk.subarray(0, written)
      rest = rest.slice(read)
    }
  }
}

/** A part with one file whose size is known when it has been written: `head` is written last. */
export function filePart(
  { row, directory }: ExportWork,
  name: string,
  chunks: AsyncIterable<string>,
  next: () => ArchivePlace,
): ArchivePart {
  let size = 0
  async function* counted(): AsyncIterable<string | Uint8Array> {
    for await (const chunk of chunks) {
      size += Buffer.byteLength(chunk)
      yield chunk
    }
    yield paddingOf(size)
  }
  return {
    pieces: counted(),
    head: () => compressed(tarHead({ name: `${directory}/${name}`, size, time: row.requested })),
    next,
  }
}

/** A file of known contents, as pieces of a part. */
export function* wholeFile(
  { row, directory }: ExportWork,
  name: string,
  chunks: readonly (string | Uint8Array)[],
): Iterable<string | Uint8Array> {
  const size = chunks.reduce((total, chunk) => total + Buffer.byteLength(chunk), 0)
  yield tarHead({ name: `${directory}/${name}`, size, time: row.requested })
  yield* chunks
  yield paddingOf(size)
}

/** The items as a JSON array, in chunks. */
export async function* jsonArray(items: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  yield '['
  let separator = '\n'
  for await (const item of items) {
    yield `${separator}${item}`
    separator = ',\n'
  }
  yield '\n]'
}

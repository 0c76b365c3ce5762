import { addAbortSignal, type Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListObjectsV2Command,
  NoSuchKey,
  NoSuchUpload,
  NotFound,
} from '@aws-sdk/client-s3'
import { type S3Bucket, statusOf } from './s3-bucket.js'
import { S3Upload } from './s3-upload.js'
import { SpoolFile } from './spool-file.js'
import type { ByteRange, Storage } from './storage.js'

const requestMs = 10_000
// A reader that is slow holds one piece in memory, and no connection to the store.
const pieceBytes = 512 * 1024
const leastPartBytes = 16 * 1024 * 1024
// The protocol of the store allows 10,000.
const mostParts = 9_000
const dayMs = 86_400_000
const notImplemented = 501

/** Files in a bucket of an S3-compatible store. */
export class S3Storage implements Storage {
  private readonly partBytes: number

  /**
   * @param spoolDirectory where bytes are on the local disk until a part of them is sent
   * @param largestBytes of a file
   */
  constructor(
    private readonly bucket: S3Bucket,
    private readonly spoolDirectory: string,
    largestBytes: number,
  ) {
    this.partBytes = Math.max(leastPartBytes, Math.ceil(largestBytes / mostParts))
  }

  async write(key: string, source: AsyncIterable<Uint8Array>): Promise<number> {
    const spool = await SpoolFile.create(this.spoolDirectory)
    const upload = new S3Upload(this.bucket, key, spool, this.partBytes)
    try {
      for await (const chunk of source) await upload.add(chunk)
      return await upload.finish()
    } catch (error) {
      await upload.abort()
      throw error
    } finally {
      await spool.close()
    }
  }

  async read(key: string, range: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined> {
    // The caller learns whether there is a file before it sends the head of its answer.
    const first = await this.piece(key, range)
    return first && this.pieces(key, range, first)
  }

  readWhole(key: string): Promise<Buffer | undefined> {
    return this.get(key, undefined)
  }

  sizeOf(Key: string): Promise<number | undefined> {
    const { bucket } = this
    return bucket.ask(requestMs, async (client, abortSignal) => {
      try {
        const head = await client.send(new HeadObjectCommand({ Bucket: bucket.name, Key }), { abortSignal })
        return head.ContentLength
      } catch (error) {
        if (error instanceof NotFound) return undefined
        throw error
      }
    })
  }

  isEmpty(): Promise<boolean> {
    const { bucket } = this
    return bucket.ask(requestMs, async (client, abortSignal) => {
      const request = new ListObjectsV2Command({ Bucket: bucket.name, MaxKeys: 1 })
      const { Contents = [] } = await client.send(request, { abortSignal })
      return Contents.length === 0
    })
  }

  async remove(keys: readonly string[]): Promise<void> {
    const { bucket } = this
    await Promise.all(
      keys.map(Key =>
        bucket.ask(requestMs, (client, abortSignal) =>
          client.send(new DeleteObjectCommand({ Bucket: bucket.name, Key }), { abortSignal }),
        ),
      ),
    )
  }

  async removeUnfinished(): Promise<void> {
    let page: ListMultipartUploadsCommandOutput | undefined
    do {
      page = await this.unfinished(page)
      for (const { Key, UploadId, Initiated } of page?.Uploads ?? []) {
        if (Initiated && Initiated.getTime() < Date.now() - dayMs) await this.abort(Key, UploadId)
      }
    } while (page?.IsTruncated)
  }

  async check(): Promise<void> {
    // There is no such object; the answer says so only to a key that may read and list.
    await this.get('check', undefined)
  }

  async space(): Promise<undefined> {
    return undefined
  }

  close(): void {
    this.bucket.close()
  }

  /** The uploads after a page. Undefined: the store does not list them, and removes them itself or never. */
  private unfinished(
    after?: ListMultipartUploadsCommandOutput,
  ): Promise<ListMultipartUploadsCommandOutput | undefined> {
    const { bucket } = this
    const markers = after && { KeyMarker: after.NextKeyMarker, UploadIdMarker: after.NextUploadIdMarker }
    return bucket.ask(requestMs, async (client, abortSignal) => {
      try {
        return await client.send(new ListMultipartUploadsCommand({ Bucket: bucket.name, ...markers }), { abortSignal })
      } catch (error) {
        if (statusOf(error) === notImplemented) return undefined
        throw error
      }
    })
  }

  private async abort(Key: string | undefined, UploadId: string | undefined): Promise<void> {
    const { bucket } = this
    await bucket.ask(requestMs, async (client, abortSignal) => {
      try {
        await client.send(new AbortMultipartUploadCommand({ Bucket: bucket.name, Key, UploadId }), { abortSignal })
      } catch (error) {
        // Another worker has removed it.
        if (!(error instanceof NoSuchUpload)) throw error
      }
    })
  }

  private async *pieces(key: string, { start, end }: ByteRange, first: Buffer): AsyncIterable<Uint8Array> {
    yield first
    for (let at = start + first.length; at <= end; ) {
      const next = await this.piece(key, { start: at, end })
      if (!next) throw new Error('a file was removed while it was read')
      yield next
      at += next.length
    }
  }

  /** The bytes at the beginning of a range. */
  private async piece(key: string, { start, end }: ByteRange): Promise<Buffer | undefined> {
    const last = Math.min(end, start + pieceBytes - 1)
    const bytes = await this.get(key, `bytes=${start}-${last}`)
    if (bytes && bytes.length !== last - start + 1) throw new Error('a stored file is shorter than its row says')
    return bytes
  }

  private get(Key: string, Range: string | undefined): Promise<Buffer | undefined> {
    const { bucket } = this
    return bucket.ask(requestMs, async (client, abortSignal) => {
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket.name, Key, Range }), { abortSignal })
        return await buffer(addAbortSignal(abortSignal, Body as Readable))
      } catch (error) {
        if (error instanceof NoSuchKey) return undefined
        throw error
      }
    })
  }
}

import { randomBytes } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createDirectory } from '../disk/owned-paths.js'
import { failure } from './storage-failure.js'
import { writeAll } from './write-all.js'

const chunkBytes = 64 * 1024

/**
 * Bytes on the local disk while they are on their way to another store: memory would not be enough for many slow senders. The file has no
 * name, so nothing is left of it when the process dies.
 */
export class SpoolFile {
  private _size = 0

  private constructor(private readonly file: FileHandle) {}

  /** @throws {StorageFailure} */
  static async create(directory: string): Promise<SpoolFile> {
    const path = join(directory, randomBytes(18).toString('base64url'))
    try {
      await createDirectory(directory)
      const file = await open(path, 'wx+', 0o600)
      await rm(path)
      return new SpoolFile(file)
    } catch (error) {
      throw failure(error)
    }
  }

  get size(): number {
    return this._size
  }

  /** @throws {StorageFailure} */
  async append(chunk: Uint8Array): Promise<void> {
    try {
      await writeAll(this.file, chunk, this._size)
    } catch (error) {
      throw failure(error)
    }
    this._size += chunk.length
  }

  /** All bytes from the first; may be called again. */
  stream(): Readable {
    return Readable.from(this.chunks(), { objectMode: false })
  }

  /** The next bytes replace the present ones. */
  empty(): void {
    this._size = 0
  }

  close(): Promise<void> {
    return this.file.close()
  }

  private async *chunks(): AsyncIterable<Uint8Array> {
    for (let at = 0; at < this._size; ) {
      const { bytesRead, buffer } = await this.file.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, at)
      const bytes = Math.min(bytesRead, this._size - at)
      if (bytes === 0) throw new Error('bytes of a spool file are missing')
      yield buffer.subarray(0, bytes)
      at += bytes
    }
  }
}

import { randomBytes } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { failure } from '../storage/storage-failure.js'

/**
 * Bytes of one body for which the memory of a `BodyWindow` has no room, first in, first out. The file has no name, so nothing is left of it
 * when the process dies. It is written and read at once, not in the background, because memory would have to hold the bytes meanwhile.
 */
export class BodyOverflow {
  private file: number | undefined
  private written = 0
  private read = 0

  constructor(private readonly directory: string) {}

  /** @throws {StorageFailure} */
  append(bytes: Uint8Array): void {
    try {
      this.file ??= this.open()
      for (let done = 0; done < bytes.length; ) {
        const count = writeSync(this.file, bytes, done, bytes.length - done, this.written)
        done += count
        this.written += count
      }
    } catch (error) {
      throw failure(error)
    }
  }

  /** Moves the next bytes, `most` of them or a block full, into the block. Returns their number. @throws {StorageFailure} */
  moveTo(block: Buffer, most: number): number {
    if (this.file === undefined) return 0
    try {
      const count = readSync(this.file, block, 0, Math.min(block.length, most), this.read)
      if (count === 0) throw new Error('bytes of a body are missing from its file')
      this.read += count
      if (this.read === this.written) this.read = this.written = 0
      return count
    } catch (error) {
      throw failure(error)
    }
  }

  close(): void {
    if (this.file === undefined) return
    closeSync(this.file)
    this.file = undefined
    this.read = this.written = 0
  }

  private open(): number {
    mkdirSync(this.directory, { recursive: true })
    const path = join(this.directory, randomBytes(18).toString('base64url'))
    const file = openSync(path, 'wx+', 0o600)
    rmSync(path)
    return file
  }
}

import { randomBytes } from 'node:crypto'
import {
  access,
  constants,
  type FileHandle,
  open,
  opendir,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  statfs,
} from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { createDirectory, inheritOwner } from '../disk/owned-paths.js'
import type { ByteRange, DiskSpace, Storage } from './storage.js'
import { awayMessage, codeOf, failure, StorageFailure } from './storage-failure.js'
import { writeAll } from './write-all.js'

const chunkBytes = 256 * 1024
// Buffers that are kept for the next reads. V8 marks its whole heap whenever 64 MB of buffers have been allocated, which costs as much as the
// reading; a new buffer for each of 256 reads would cause that.
const mostSpare = 8
const dayMs = 86_400_000

/**
 * Files in a directory of this machine. A file's path in the directory is its key. Unfinished files are in `unfinished/`; no key begins
 * with that.
 */
export class LocalStorage implements Storage {
  private readonly unfinished: string
  private readonly spare: Buffer[] = []
  /** The file system of the directory at the first check. */
  private device: number | undefined

  constructor(private readonly directory: string) {
    this.unfinished = join(directory, 'unfinished')
  }

  async write(key: string, source: AsyncIterable<Uint8Array>): Promise<number> {
    const target = this.pathOf(key)
    const part = join(this.unfinished, randomBytes(18).toString('base64url'))
    try {
      await createDirectory(this.unfinished)
      const size = await writeDurably(part, source)
      await inheritOwner(part)
      await createDirectory(dirname(target))
      await rename(part, target)
      await syncDirectory(dirname(target))
      return size
    } catch (error) {
      await rm(part, { force: true })
      throw failure(error)
    }
  }

  async read(key: string, range: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined> {
    let file: FileHandle
    try {
      file = await open(this.pathOf(key), 'r')
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined
      throw failure(error)
    }
    return this.chunksOf(file, range)
  }

  async readWhole(key: string): Promise<Buffer | undefined> {
    try {
      return await readFile(this.pathOf(key))
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined
      throw failure(error)
    }
  }

  async sizeOf(key: string): Promise<number | undefined> {
    try {
      return (await stat(this.pathOf(key))).size
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined
      throw failure(error)
    }
  }

  async isEmpty(): Promise<boolean> {
    try {
      for await (const entry of await opendir(this.directory, { recursive: true })) {
        if (entry.isFile() && entry.parentPath !== this.unfinished) return false
      }
      return true
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return true
      throw failure(error)
    }
  }

  async remove(keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      const path = this.pathOf(key)
      await rm(path, { force: true }).catch(error => {
        throw failure(error)
      })
      // The directory with the random name holds this file only; a file with siblings keeps its directory.
      await rmdir(dirname(path)).catch(passKept)
    }
  }

  async removeUnfinished(): Promise<void> {
    try {
      const names = await readdir(this.unfinished)
      for (const name of names) {
        const path = join(this.unfinished, name)
        // A part that is renamed or removed at this moment has no time: it is not old.
        const changed = (await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now()
        if (changed < Date.now() - dayMs) await rm(path, { force: true })
      }
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw failure(error)
    }
  }

  async check(): Promise<void> {
    try {
      if (this.device === undefined) await createDirectory(this.unfinished)
      const { dev } = await stat(this.directory)
      this.device ??= dev
      // An empty directory would be in the place of a file system that is no longer mounted.
      if (dev !== this.device) throw new Error('the directory of the files is on another file system than before')
      await access(this.directory, constants.R_OK | constants.W_OK | constants.X_OK)
    } catch (error) {
      throw new StorageFailure(awayMessage, error)
    }
  }

  async space(): Promise<DiskSpace> {
    try {
      // A directory that was there at the first check and is gone must not be made again, without its files.
      if (this.device === undefined) await createDirectory(this.unfinished)
      const { bavail, blocks, bsize } = await statfs(this.directory)
      return { free: bavail * bsize, total: blocks * bsize }
    } catch (error) {
      throw failure(error)
    }
  }

  close(): void {}

  private async *chunksOf(file: FileHandle, { start, end }: ByteRange): AsyncIterable<Uint8Array> {
    const buffer = this.spare.pop() ?? Buffer.allocUnsafeSlow(chunkBytes)
    try {
      for (let at = start; at <= end; ) {
        const { bytesRead } = await file.read(buffer, 0, Math.min(chunkBytes, end + 1 - at), at)
        if (bytesRead === 0) throw new Error('a stored file is shorter than its row says')
        yield buffer.subarray(0, bytesRead)
        at += bytesRead
      }
    } finally {
      if (this.spare.length < mostSpare) this.spare.push(buffer)
      await file.close()
    }
  }

  private pathOf(key: string): string {
    const path = resolve(this.directory, key)
    if (!path.startsWith(this.directory + sep)) throw new Error(`the key of a file leaves its directory: ${key}`)
    return path
  }
}

async function writeDurably(path: string, source: AsyncIterable<Uint8Array>): Promise<number> {
  // Its group may read it: a proxy that sends files (FILES_ACCEL_PREFIX).
  const file = await open(path, 'wx', 0o640)
  let size = 0
  try {
    for await (const chunk of source) {
      await writeAll(file, chunk, size)
      size += chunk.length
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return size
}

/** A rename outlives a power failure once the directory is on the disk. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

/** Another file is in the directory, or it is gone already. */
function passKept(error: unknown): void {
  const code = codeOf(error)
  if (code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'ENOENT') throw failure(error)
}

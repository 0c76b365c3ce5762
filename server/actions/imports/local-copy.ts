import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Ctx } from '../../ctx.js'
import { createDirectory } from '../../disk/owned-paths.js'
import { failure } from '../../storage/storage-failure.js'
import { writeAll } from '../../storage/write-all.js'

interface Archive {
  readonly id: number
  readonly key: string
  readonly size: number
}

/**
 * Runs the work on a copy of the archive on the local disk, where it can be read at any place: the store of files may be a bucket. A copy
 * that a dead worker left is replaced by the next attempt.
 * @throws {StorageFailure} the store is away, or the disk is full
 */
export async function withLocalCopy<T>(
  { config, storage }: Pick<Ctx, 'config' | 'storage'>,
  { id, key, size }: Archive,
  work: (file: string) => Promise<T>,
): Promise<T> {
  const folder = join(config.dataDir, 'imports')
  const file = join(folder, `${id}.zip`)
  try {
    const chunks = await storage.read(key, { start: 0, end: size - 1 })
    if (!chunks) throw new Error('the archive of an import is not there')
    await createDirectory(folder)
    await copyTo(file, chunks)
    return await work(file)
  } finally {
    await rm(file, { force: true })
  }
}

async function copyTo(file: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  await rm(file, { force: true })
  try {
    const handle = await open(file, 'wx', 0o600)
    try {
      let at = 0
      for await (const chunk of chunks) {
        await writeAll(handle, chunk, at)
        at += chunk.length
      }
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw failure(error)
  }
}

import type { ByteRange, DiskSpace, Storage } from './storage.js'
import { kindOf, type StorageCounts, type StorageOperation } from './storage-counts.js'
import { codeOf, StorageFailure } from './storage-failure.js'

/** A store that counts what it does. */
export class CountedStorage implements Storage {
  constructor(
    private readonly store: Storage,
    private readonly counts: StorageCounts,
  ) {}

  async write(key: string, source: AsyncIterable<Uint8Array>): Promise<number> {
    const { counts } = this
    counts.calls.write++
    try {
      const size = await this.store.write(key, source)
      counts.written[kindOf(key)] += size
      counts.writeFailedAt = undefined
      return size
    } catch (error) {
      if (isOfStore(error)) {
        counts.failures.write++
        counts.writeFailedAt = performance.now()
      }
      throw error
    }
  }

  async read(key: string, range: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined> {
    const chunks = await this.counted('read', () => this.store.read(key, range))
    return chunks && this.countedChunks(key, chunks)
  }

  async readWhole(key: string): Promise<Buffer | undefined> {
    const bytes = await this.counted('read', () => this.store.readWhole(key))
    if (bytes) this.counts.read[kindOf(key)] += bytes.length
    return bytes
  }

  sizeOf(key: string): Promise<number | undefined> {
    return this.counted('read', () => this.store.sizeOf(key))
  }

  isEmpty(): Promise<boolean> {
    return this.counted('read', () => this.store.isEmpty())
  }

  remove(keys: readonly string[]): Promise<void> {
    return this.counted('remove', () => this.store.remove(keys))
  }

  removeUnfinished(): Promise<void> {
    return this.counted('remove', () => this.store.removeUnfinished())
  }

  check(): Promise<void> {
    return this.counted('check', () => this.store.check())
  }

  space(): Promise<DiskSpace | undefined> {
    return this.store.space()
  }

  close(): void {
    this.store.close()
  }

  private async counted<T>(operation: StorageOperation, work: () => Promise<T>): Promise<T> {
    const { calls, failures } = this.counts
    calls[operation]++
    try {
      return await work()
    } catch (error) {
      failures[operation]++
      throw error
    }
  }

  private async *countedChunks(key: string, chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    const { read, failures } = this.counts
    const kind = kindOf(key)
    const iterator = chunks[Symbol.asyncIterator]()
    try {
      for (;;) {
        const { done, value } = await iterator.next().catch((error: unknown) => {
          failures.read++
          throw error
        })
        if (done) return
        read[kind] += value.length
        yield value
      }
    } finally {
      await iterator.return?.()
    }
  }
}

/** Not of the sender of the bytes, who may have left. */
const isOfStore = (error: unknown): boolean => error instanceof StorageFailure || typeof codeOf(error) === 'string'

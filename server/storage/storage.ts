/** Bytes of a stored file from `start` to `end`, both included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** A disk, in bytes. */
export interface DiskSpace {
  readonly free: number
  readonly total: number
}

/** Keeps the bytes of files: uploads, pictures of users, emoji. A key is a relative path of safe names. */
export interface Storage {
  /**
   * Stores the bytes of `source` durably. Readers see either nothing or the whole file. A chunk is not used after the next one is asked for.
   * @returns the number of bytes
   * @throws {StorageFailure} when the store is away or full; the error of `source`. Nothing is stored then.
   */
  write(key: string, source: AsyncIterable<Uint8Array>): Promise<number>
  /**
   * The bytes of a file, in chunks that are valid until the next one is asked for or the iteration ends. Undefined: there is no such file.
   * @throws {StorageFailure} when the store is away
   */
  read(key: string, range: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined>
  /** A small file as a whole. Undefined: there is no such file. @throws {StorageFailure} when the store is away */
  readWhole(key: string): Promise<Buffer | undefined>
  /** Bytes of a file. Undefined: there is no such file. @throws {StorageFailure} when the store is away */
  sizeOf(key: string): Promise<number | undefined>
  /** Whether there are no files. @throws {StorageFailure} when the store is away */
  isEmpty(): Promise<boolean>
  /** Removes files; a file that does not exist is no error. @throws {StorageFailure} when the store is away */
  remove(keys: readonly string[]): Promise<void>
  /** Removes what writers that died more than a day ago left. @throws {StorageFailure} when the store is away */
  removeUnfinished(): Promise<void>
  /** Whether the store can be used, by something cheap. @throws {StorageFailure} */
  check(): Promise<void>
  /** The disk of the files; undefined: the store has no bound that it tells. @throws {StorageFailure} when the store is away */
  space(): Promise<DiskSpace | undefined>
  /** Ends the connections to the store; no call may be under way. */
  close(): void
}

/** What a store does, for the metrics. */
export const storageOperations = ['write', 'read', 'remove', 'check'] as const
export type StorageOperation = (typeof storageOperations)[number]

/**
 * Kinds of stored bytes: files as they were uploaded, parts of unfinished ones, thumbnails, pictures of people, emoji and the organization, and
 * archives of exports.
 */
export const fileKinds = ['upload', 'part', 'thumbnail', 'picture', 'export'] as const
type FileKind = (typeof fileKinds)[number]

const prefixes: Readonly<Record<string, FileKind>> = {
  parts: 'part',
  thumbnails: 'thumbnail',
  user_avatars: 'picture',
  exports: 'export',
}

export const kindOf = (key: string): FileKind => prefixes[key.slice(0, key.indexOf('/'))] ?? 'upload'

/** Counts of one worker's use of the store of files. */
export class StorageCounts {
  /** Calls by operation, and those of them that failed. */
  readonly calls = { write: 0, read: 0, remove: 0, check: 0 }
  readonly failures = { write: 0, read: 0, remove: 0, check: 0 }
  /** Bytes by kind. */
  readonly written = { upload: 0, part: 0, thumbnail: 0, picture: 0, export: 0 }
  readonly read = { upload: 0, part: 0, thumbnail: 0, picture: 0, export: 0 }
  /** When the last write failed, by `performance.now()`; undefined: it succeeded. */
  writeFailedAt: number | undefined
}

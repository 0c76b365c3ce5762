/** The store of files is full or away. The request has no effect and may be repeated; its answer is SERVER_NOT_READY with this message. */
export class StorageFailure extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause })
  }
}

/** The message of an answer when the store does not work; the log has the cause. */
export const awayMessage = 'The server cannot use its files at present: try again.'

/** The same when there is no room. */
export const fullMessage = 'There is no room for more files on the server.'

const full: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])
const away: ReadonlySet<unknown> = new Set(['EIO', 'EROFS', 'EACCES', 'EPERM', 'EMFILE', 'ENFILE', 'ENOTDIR', 'EEXIST'])

/** An error of the file system as a failure of the store; errors of the sender stay as they are. */
export function failure(error: unknown): unknown {
  const code = codeOf(error)
  if (full.has(code)) return new StorageFailure(fullMessage, error)
  if (away.has(code)) return new StorageFailure(awayMessage, error)
  return error
}

/** The code of an error of the file system; undefined: it is another error. */
export const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code

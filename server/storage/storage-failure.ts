/** The store of files is full or away. The request has no effect and may be repeated; its answer is SERVER_NOT_READY with this message. */
export class StorageFailure extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause })
  }
}

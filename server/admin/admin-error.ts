/** What the administrator asked for cannot be done: `message` is one sentence that says why, `code` the same for programs. */
export class AdminError extends Error {
  constructor(
    message: string,
    readonly code = 'FAILED',
  ) {
    super(message)
  }
}

/** A command cannot be executed: `message` gives the reason in one sentence for people, `code` for programs. */
export class AdminError extends Error {
  constructor(
    message: string,
    readonly code = 'FAILED',
  ) {
    super(message)
  }
}

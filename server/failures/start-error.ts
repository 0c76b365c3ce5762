/** The server cannot start on this machine or with these settings; `message` is one sentence for the operator. */
export class StartError extends Error {}

/** What the server needs is not there yet, and may come: the start waits for it. */
export class NotYetError extends StartError {}

/**
 * One line for the operator if the error comes from the settings, from the system or from a database; undefined if it is a fault of the
 * program, whose stack is needed.
 */
export function operatorMessage(error: unknown): string | undefined {
  if (error instanceof StartError) return error.message
  if (!(error instanceof Error)) return undefined
  const { code } = error as { code?: unknown }
  // Node's own codes, such as ERR_INVALID_ARG_TYPE, are faults of the program.
  if (typeof code !== 'string' || code.startsWith('ERR_')) return undefined
  const origin = error.name === 'PostgresError' ? 'PostgreSQL refuses a statement: ' : ''
  return `${origin}${error.message.split('\n', 1)[0]} (${code}).`
}

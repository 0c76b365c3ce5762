import { LeanConnection } from './lean-connection.js'

interface PollConnectionOptions {
  readonly port: number
  /** The bytes are only valid during the call. */
  onBody(body: Buffer): void
  onEnd(reason: string): void
}

const lengthName = Buffer.from('\r\nContent-Length: ')
const headEnd = Buffer.from('\r\n\r\n')

/** A keep-alive connection for repeated polls, with little CPU time of its own. */
export class PollConnection extends LeanConnection {
  constructor(private readonly options: PollConnectionOptions) {
    super(options.port)
  }

  /** Sends a whole ASCII request. */
  ask(request: string): void {
    this.socket.write(request, 'latin1')
  }

  protected received(chunk: Buffer): number {
    const body = bodyOf(chunk)
    if (body) this.options.onBody(body)
    else if (body === null) this.options.onEnd(`refused: ${chunk}`)
    return body === undefined ? 0 : chunk.length
  }

  protected ended(reason: string): void {
    this.options.onEnd(reason)
  }
}

/** The body of a complete answer (no other follows before the next request); null: an error; undefined: incomplete. */
function bodyOf(chunk: Buffer): Buffer | null | undefined {
  const end = chunk.indexOf(headEnd)
  if (end < 0) return undefined
  if (chunk.toString('latin1', 9, 12) !== '200') return null
  const start = chunk.indexOf(lengthName) + lengthName.length
  const length = Number.parseInt(chunk.toString('latin1', start, start + 9), 10)
  const body = end + headEnd.length
  return chunk.length < body + length ? undefined : chunk.subarray(body, body + length)
}

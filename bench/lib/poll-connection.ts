import { connect, type Socket } from 'node:net'

interface PollConnectionOptions {
  readonly port: number
  /** The bytes are only valid during the call. */
  onBody(body: Buffer): void
  onEnd(reason: string): void
}

// All connections read into the same buffer, one after the other, so receivers copy the bytes that they keep.
const shared = Buffer.allocUnsafe(1 << 20)
const lengthName = Buffer.from('\r\nContent-Length: ')
const headEnd = Buffer.from('\r\n\r\n')

/** A keep-alive connection for repeated polls, with little CPU time of its own. */
export class PollConnection {
  private readonly socket: Socket
  private rest: Buffer | undefined

  constructor(private readonly options: PollConnectionOptions) {
    const { port, onEnd } = options
    this.socket = connect({
      host: '127.0.0.1',
      port,
      noDelay: true,
      onread: {
        buffer: shared,
        callback: size => {
          this.received(shared.subarray(0, size))
          return true
        },
      },
    })
    this.socket.on('error', error => onEnd(error.message))
    this.socket.on('close', () => onEnd('the connection ended'))
  }

  /** Sends a whole ASCII request. */
  ask(request: string): void {
    this.socket.write(request, 'latin1')
  }

  end(): void {
    this.socket.destroy()
  }

  private received(bytes: Buffer): void {
    const chunk = this.rest ? Buffer.concat([this.rest, bytes]) : bytes
    this.rest = undefined
    const body = bodyOf(chunk)
    if (body) this.options.onBody(body)
    else if (body === null) this.options.onEnd(`refused: ${chunk}`)
    else this.rest = Buffer.from(chunk)
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

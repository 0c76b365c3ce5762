import { connect, type Socket } from 'node:net'

// All connections read into the same buffer, one after the other, so receivers copy the bytes that they keep.
const shared = Buffer.allocUnsafe(1 << 20)

/** A TCP connection with little CPU time of its own. */
export abstract class LeanConnection {
  protected readonly socket: Socket
  private rest: Buffer | undefined

  constructor(port: number) {
    const callback = (size: number) => {
      const bytes = shared.subarray(0, size)
      const chunk = this.rest ? Buffer.concat([this.rest, bytes]) : bytes
      const used = this.received(chunk)
      this.rest = used < chunk.length ? Buffer.from(chunk.subarray(used)) : undefined
      return true
    }
    this.socket = connect({ host: '127.0.0.1', port, noDelay: true, onread: { buffer: shared, callback } })
    this.socket.on('error', error => this.ended(error.message))
    this.socket.on('close', () => this.ended('the connection ended'))
  }

  end(): void {
    this.socket.destroy()
  }

  /** Reads what is complete, and returns its length; the rest comes again with what follows. The bytes are only valid during the call. */
  protected abstract received(chunk: Buffer): number

  protected abstract ended(reason: string): void
}

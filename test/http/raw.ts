import { once } from 'node:events'
import { connect } from 'node:net'

export interface RawAnswer {
  readonly status: number
  readonly head: string
  readonly body: string
}

/** A connection for raw bytes that no HTTP client would send. */
export class RawConnection {
  private readonly socket
  private received = ''
  isClosed = false
  private wake = () => {}

  constructor({ port }: { readonly port: number }) {
    this.socket = connect(port, '127.0.0.1')
    this.socket.on('data', chunk => {
      this.received += chunk.toString('latin1')
      this.wake()
    })
    this.socket.on('error', () => {})
    this.socket.on('close', () => {
      this.isClosed = true
      this.wake()
    })
  }

  write(bytes: string | Uint8Array): this {
    this.socket.write(bytes)
    return this
  }

  /** The next whole answer, to a request of this method; undefined if the connection ends first. */
  async answer(method = 'GET'): Promise<RawAnswer | undefined> {
    for (;;) {
      const headEnd = this.received.indexOf('\r\n\r\n')
      if (headEnd >= 0) {
        const head = this.received.slice(0, headEnd)
        const status = Number(head.slice(9, 12))
        // RFC 9112, 6.3: these end with their head, whatever it says.
        const hasBody = method !== 'HEAD' && status !== 204 && status !== 304
        const end = headEnd + 4 + (hasBody ? Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0) : 0)
        if (this.received.length >= end) {
          const body = this.received.slice(headEnd + 4, end)
          this.received = this.received.slice(end)
          return { status, head, body }
        }
      }
      if (this.isClosed) return undefined
      await new Promise<void>(resolve => {
        this.wake = resolve
      })
    }
  }

  /** The head of an answer without a body, whatever its Content-Length; call it once. */
  async headOnly(): Promise<string> {
    while (!this.received.includes('\r\n\r\n') && !this.isClosed) {
      await new Promise<void>(resolve => {
        this.wake = resolve
      })
    }
    const head = this.received
    this.received = ''
    return head
  }

  /** All bytes until the server closes the connection: an answer may have no length. */
  async untilClosed(): Promise<string> {
    await this.closed()
    return this.received
  }

  async closed(): Promise<void> {
    if (!this.isClosed) await once(this.socket, 'close')
  }

  destroy(): void {
    this.socket.destroy()
  }
}

export function head(method: string, path: string, headers: Record<string, string | number> = {}): string {
  const lines = Object.entries({ Host: 'test', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
}

import { connect } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { type RawAnswer, takeAnswer } from './raw-answer.js'

export type { RawAnswer }

/** Where a raw connection goes to, on this machine. */
export interface Endpoint {
  readonly port: number
  /** The certificate of a TLS server. */
  readonly ca?: string
}

// In ms; only a failure takes this long.
const patience = 20_000

/** A connection for raw bytes that no HTTP client would send. */
export class RawConnection {
  private readonly socket
  private received = ''
  isClosed = false
  private wake = () => {}

  constructor({ port, ca }: Endpoint) {
    const host = '127.0.0.1'
    this.socket = ca === undefined ? connect(port, host) : connectSecurely({ host, port, ca })
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

  /**
   * The next whole answer, to a request of this method; undefined if the connection ends first.
   * @throws if HTTP does not allow its framing, or it does not come.
   */
  async answer(method = 'GET'): Promise<RawAnswer | undefined> {
    for (;;) {
      const taken = takeAnswer(this.received, method, this.isClosed)
      if (taken) {
        this.received = this.received.slice(taken.end)
        return taken.answer
      }
      if (this.isClosed) return undefined
      await this.change('no answer')
    }
  }

  /** All bytes until the server closes the connection: an answer may have no length. */
  async untilClosed(): Promise<string> {
    await this.closed()
    return this.received
  }

  /** @throws if the server does not close it. */
  async closed(): Promise<void> {
    while (!this.isClosed) await this.change('no end of the connection')
  }

  destroy(): void {
    this.socket.destroy()
  }

  private change(missing: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = () => reject(new Error(`${missing} after ${patience} ms: "${this.received.slice(0, 500)}"`))
      const timer = setTimeout(late, patience)
      this.wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

export function head(method: string, path: string, headers: Record<string, string | number> = {}): string {
  const lines = Object.entries({ Host: 'test', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
}

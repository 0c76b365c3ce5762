import WebSocket from 'ws'
import { basic, type Credentials } from '../support/http.js'

// biome-ignore lint/suspicious/noExplicitAny: tests look into frames of every shape
type Frame = Record<string, any>

/** A socket as a test looks at it: all that came, and how it ended. */
export class SocketClient {
  readonly frames: Frame[] = []
  readonly closed: Promise<{ code: number; reason: string }>
  private wake = () => {}

  private constructor(readonly socket: WebSocket) {
    socket.on('message', data => {
      this.frames.push(JSON.parse(String(data)))
      this.wake()
    })
    socket.on('error', () => {})
    this.closed = new Promise(resolve =>
      socket.once('close', (code, reason) => {
        resolve({ code, reason: String(reason) })
        this.wake()
      }),
    )
  }

  /** Rejects with the status of the answer where there is no upgrade. */
  static connect(url: string, headers: Record<string, string>, options: WebSocket.ClientOptions = {}) {
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/api/v1/socket`, { headers, ...options })
    const client = new SocketClient(socket)
    return new Promise<SocketClient>((resolve, reject) => {
      socket.once('open', () => resolve(client))
      socket.once('unexpected-response', (_, response) => {
        reject(new Error(`status ${response.statusCode}`))
        response.destroy()
      })
      socket.once('error', reject)
    })
  }

  static open(url: string, who: Credentials): Promise<SocketClient> {
    return SocketClient.connect(url, { Authorization: basic(who) })
  }

  send(frame: Frame): this {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(frame))
    return this
  }

  /** The reply to a frame. @throws when the socket ends before it. */
  async reply(id: number | string): Promise<Frame> {
    for (;;) {
      const found = this.frames.find(frame => frame.op === 'reply' && frame.id === id)
      if (found) return found
      if (this.socket.readyState === WebSocket.CLOSED) throw new Error(`closed before the reply to ${id}`)
      await new Promise<void>(resolve => {
        this.wake = resolve
      })
    }
  }
}

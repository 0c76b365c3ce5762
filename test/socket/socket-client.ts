import WebSocket, { type ClientOptions } from 'ws'
import { pack, unpack } from '../../shared/wire/codec.js'
import type { FakeServer } from '../http/fake-server.js'

// biome-ignore lint/suspicious/noExplicitAny: tests look into frames of every shape
type Frame = any

/** The client side of a socket, with all received frames. */
export class SocketClient {
  readonly frames: Frame[] = []
  private end: { code: number; reason: string } | undefined
  private wake = () => {}

  constructor(readonly socket: WebSocket) {
    socket.on('message', (data: Buffer, isBinary) => {
      this.frames.push(isBinary ? unpack(data) : JSON.parse(data.toString()))
      this.wake()
    })
    socket.on('close', (code, reason) => {
      this.end = { code, reason: reason.toString() }
      this.wake()
    })
    socket.on('error', () => {})
  }

  send(frame: Record<string, unknown>): this {
    const isBinary = this.socket.protocol === 'chat.v1.msgpack'
    this.socket.send(isBinary ? pack(frame) : JSON.stringify(frame))
    return this
  }

  /** The first frame that satisfies the predicate, past or future. */
  async frame(passes: (frame: Frame) => boolean): Promise<Frame> {
    for (;;) {
      const found = this.frames.find(passes)
      if (found) return found
      if (this.end) throw new Error(`closed with ${this.end.code} ${this.end.reason}`)
      await this.change()
    }
  }

  reply = (id: number | string): Promise<Frame> => this.frame(frame => frame.op === 'reply' && frame.id === id)

  async closed(): Promise<{ code: number; reason: string }> {
    while (!this.end) await this.change()
    return this.end
  }

  private change(): Promise<void> {
    return new Promise(resolve => {
      this.wake = resolve
    })
  }
}

/** Connects; rejects with the status if the server refuses the upgrade. */
export function openSocket(
  fake: Pick<FakeServer, 'url'>,
  options: ClientOptions = {},
  protocols: string[] = [],
): Promise<SocketClient> {
  const socket = new WebSocket(`${fake.url.replace('http', 'ws')}/socket`, protocols, options)
  const client = new SocketClient(socket)
  return new Promise((resolve, reject) => {
    socket.on('open', () => resolve(client))
    socket.on('unexpected-response', (_request, response) => reject(response))
    socket.on('error', reject)
  })
}

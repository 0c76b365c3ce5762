import { randomBytes } from 'node:crypto'
import type { ClientFrame } from '../../shared/wire/frames.js'
import { LeanConnection } from './lean-connection.js'
import { type Account, authorizationOf } from './load-protocol.js'

interface RawSocketOptions {
  readonly port: number
  readonly account: Account
  /** The payload is only valid during the call. */
  onFrame(payload: Buffer): void
  onEnd(reason: string): void
}

const text = 1
const close = 8
const ping = 9
const pong = 10

/**
 * A minimal WebSocket client with little CPU time of its own. It supports unfragmented text frames, pings and
 * closes, and no extensions.
 */
export class RawSocket extends LeanConnection {
  readonly opened: Promise<void>
  private isOpen = false
  private hasEnded = false
  private open!: () => void

  constructor(private readonly options: RawSocketOptions) {
    super(options.port)
    this.opened = new Promise(resolve => {
      this.open = resolve
    })
    const { port, account } = options
    const lines = {
      Host: `127.0.0.1:${port}`,
      Upgrade: 'websocket',
      Connection: 'Upgrade',
      'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
      'Sec-WebSocket-Version': '13',
      Authorization: authorizationOf(account),
      'Sec-WebSocket-Protocol': 'chat.v1.json',
      'User-Agent': 'ParleyBench/1.0',
    }
    const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`)
    this.socket.write(`GET /api/v1/socket HTTP/1.1\r\n${head.join('')}\r\n`)
  }

  send(frame: ClientFrame): void {
    this.write(text, Buffer.from(JSON.stringify(frame)))
  }

  override end(): void {
    this.hasEnded = true
    super.end()
  }

  protected received(chunk: Buffer): number {
    if (this.isOpen) return this.frames(chunk)
    const end = chunk.indexOf('\r\n\r\n')
    if (end < 0) return 0
    if (!chunk.toString('latin1', 0, 12).endsWith(' 101')) {
      this.ended(`refused: ${chunk.toString('latin1', 0, end)}`)
      return chunk.length
    }
    this.isOpen = true
    this.open()
    return end + 4 + this.frames(chunk.subarray(end + 4))
  }

  /** Returns the number of bytes in complete frames. */
  private frames(chunk: Buffer): number {
    let at = 0
    while (chunk.length - at >= 2) {
      const kind = (chunk[at] as number) & 15
      let length = (chunk[at + 1] as number) & 127
      let start = at + 2
      if (length === 126) {
        if (chunk.length < at + 4) break
        length = chunk.readUInt16BE(at + 2)
        start = at + 4
      } else if (length === 127) {
        if (chunk.length < at + 10) break
        length = Number(chunk.readBigUInt64BE(at + 2))
        start = at + 10
      }
      if (chunk.length < start + length) break
      this.frame(kind, chunk.subarray(start, start + length))
      at = start + length
    }
    return at
  }

  private frame(kind: number, payload: Buffer): void {
    if (kind === text) this.options.onFrame(payload)
    else if (kind === ping) this.write(pong, payload)
    else if (kind === close) this.ended(`closed with ${payload.readUInt16BE(0)} ${payload.toString('utf8', 2)}`)
  }

  private write(kind: number, payload: Uint8Array): void {
    const long = payload.length > 125
    // Clients have to mask frames; a mask of zeros leaves the bytes unchanged.
    const head = Buffer.alloc(long ? 8 : 6)
    head[0] = 128 | kind
    head[1] = 128 | (long ? 126 : payload.length)
    if (long) head.writeUInt16BE(payload.length, 2)
    this.socket.write(Buffer.concat([head, payload]))
  }

  protected ended(reason: string): void {
    if (this.hasEnded) return
    this.end()
    this.options.onEnd(reason)
  }
}

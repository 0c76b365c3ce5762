import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { type Codec, pack } from '../../shared/wire/codec.js'
import type { ClientFrame } from '../../shared/wire/frames.js'
import { type Account, authorizationOf } from './load-protocol.js'

interface RawSocketOptions {
  readonly port: number
  readonly account: Account
  readonly codec: Codec
  /** The payload is only valid during the call. */
  onFrame(payload: Buffer): void
  onEnd(reason: string): void
}

const text = 1
const binary = 2
const close = 8
const ping = 9
const pong = 10

// All sockets read into the same buffer, one after the other, so receivers copy the bytes that they keep.
const shared = Buffer.allocUnsafe(1 << 20)

/**
 * A minimal WebSocket client with little CPU time of its own. It supports unfragmented text and binary frames, pings
 * and closes, and no extensions.
 */
export class RawSocket {
  readonly opened: Promise<void>
  private readonly socket: Socket
  private rest: Buffer | undefined
  private isOpen = false
  private hasEnded = false
  private open!: () => void

  constructor(private readonly options: RawSocketOptions) {
    this.opened = new Promise(resolve => {
      this.open = resolve
    })
    const { port, account, codec } = options
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
    this.socket.on('error', error => this.ended(error.message))
    this.socket.on('close', () => this.ended('the connection ended'))
    const lines = {
      Host: `127.0.0.1:${port}`,
      Upgrade: 'websocket',
      Connection: 'Upgrade',
      'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
      'Sec-WebSocket-Version': '13',
      Authorization: authorizationOf(account),
      'Sec-WebSocket-Protocol': `chat.v1.${codec}`,
      'User-Agent': 'ParleyBench/1.0',
    }
    const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`)
    this.socket.write(`GET /api/v1/socket HTTP/1.1\r\n${head.join('')}\r\n`)
  }

  send(frame: ClientFrame): void {
    const isText = this.options.codec === 'json'
    this.write(isText ? text : binary, isText ? Buffer.from(JSON.stringify(frame)) : pack(frame))
  }

  end(): void {
    this.hasEnded = true
    this.socket.destroy()
  }

  private received(bytes: Buffer): void {
    let chunk = this.rest ? Buffer.concat([this.rest, bytes]) : bytes
    this.rest = undefined
    if (!this.isOpen) {
      const end = chunk.indexOf('\r\n\r\n')
      if (end >= 0 && !chunk.toString('latin1', 0, 12).endsWith(' 101')) {
        this.ended(`refused: ${chunk.toString('latin1', 0, end)}`)
      } else if (end >= 0) {
        this.isOpen = true
        this.open()
        chunk = chunk.subarray(end + 4)
      }
    }
    const used = this.isOpen ? this.frames(chunk) : 0
    if (used < chunk.length) this.rest = Buffer.from(chunk.subarray(used))
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
    if (kind === text || kind === binary) this.options.onFrame(payload)
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

  private ended(reason: string): void {
    if (this.hasEnded) return
    this.end()
    this.options.onEnd(reason)
  }
}

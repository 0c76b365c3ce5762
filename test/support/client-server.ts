import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { type WebSocket, WebSocketServer } from 'ws'
import { pack, unpack } from '../../shared/wire/codec.js'
import type { ClientFrame, ServerFrame, WireEvent } from '../../shared/wire/frames.js'
import type { Teardown } from './services.js'

type Body = Record<string, unknown>
type Answer = { status?: number; body: Body }

/** One socket of the fake server. */
class Peer {
  readonly frames: ClientFrame[] = []
  isAttached = false

  constructor(
    readonly socket: WebSocket,
    private readonly isBinary: boolean,
  ) {}

  send(frame: ServerFrame): void {
    this.socket.send(this.isBinary ? pack(frame) : JSON.stringify(frame))
  }

  /** As a reply that is compressed. */
  sendCompressed(frame: ServerFrame): void {
    this.socket.send(gzipSync(this.isBinary ? pack(frame) : JSON.stringify(frame)))
  }

  reply(frame: { id?: unknown }, { status = 200, body }: Answer): void {
    if (frame.id === undefined) return
    const result = status === 200 ? { result: 'success', msg: '' } : { result: 'error', msg: 'no' }
    this.send({ op: 'reply', id: frame.id as number, status, body: { ...result, ...body } })
  }

  events(...ids: number[]): void {
    this.send({ op: 'events', events: ids.map(id => ({ id, type: 'message', text: `event ${id}` })) })
  }
}

/**
 * A server for the socket protocol with one queue, whose events the test adds. The test decides its answers and when
 * its connections break.
 */
class FakeServer {
  readonly peers: Peer[] = []
  /** Events of the present queue. */
  log: WireEvent[] = []
  queue = 1
  acknowledged = -1
  /** The test's answer in place of the usual one; undefined for the usual one. */
  answer: (frame: ClientFrame, peer: Peer) => Answer | 'nothing' | undefined = () => undefined

  constructor(private readonly server: WebSocketServer) {
    server.on('connection', socket => this.serve(socket))
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  /** The newest socket. */
  get peer(): Peer {
    const peer = this.peers.at(-1)
    if (!peer) throw new Error('no client is connected')
    return peer
  }

  get queueId(): string {
    return `queue-${this.queue}`
  }

  /** All received frames of one op. */
  frames<Op extends ClientFrame['op']>(op: Op): Extract<ClientFrame, { op: Op }>[] {
    return this.peers.flatMap(peer => peer.frames).filter(frame => frame.op === op) as never
  }

  /** Adds events to the log and sends them in one frame to attached sockets. */
  publish(...ids: number[]): void {
    this.log.push(...ids.map(id => ({ id, type: 'message', text: `event ${id}` })))
    for (const peer of this.peers) if (peer.isAttached) peer.events(...ids)
  }

  /** Deletes the queue with its events. */
  loseQueue(): void {
    this.queue += 1
    this.log = []
  }

  private serve(socket: WebSocket): void {
    const peer = new Peer(socket, socket.protocol.startsWith('chat.v1.msgpack'))
    this.peers.push(peer)
    socket.on('close', () => {
      peer.isAttached = false
    })
    socket.on('message', (data: Buffer, isBinary) => {
      const frame = (isBinary ? unpack(data) : JSON.parse(data.toString())) as ClientFrame
      peer.frames.push(frame)
      const answer = this.answer(frame, peer)
      if (answer === 'nothing') return
      if (answer) peer.reply(frame as { id?: unknown }, answer)
      else this.obey(frame, peer)
    })
  }

  private obey(frame: ClientFrame, peer: Peer): void {
    if (frame.op === 'register') {
      peer.isAttached = true
      peer.reply(frame, { body: { queue_id: this.queueId, last_event_id: -1, of: frame.params } })
    } else if (frame.op === 'attach') {
      this.attach(frame, peer)
    } else if (frame.op === 'detach') {
      peer.isAttached = false
      peer.reply(frame, { body: {} })
    } else if (frame.op === 'ack') {
      this.acknowledged = frame.last_event_id
      this.log = this.log.filter(event => event.id > frame.last_event_id)
    } else if (frame.op === 'request') {
      const { method, path, params, idempotency_key } = frame
      peer.reply(frame, { body: { method, path, params, ...(idempotency_key !== undefined && { idempotency_key }) } })
    }
  }

  private attach(frame: Extract<ClientFrame, { op: 'attach' }>, peer: Peer): void {
    peer.isAttached = frame.queue_id === this.queueId
    if (!peer.isAttached) {
      peer.reply(frame, { status: 400, body: { code: 'BAD_EVENT_QUEUE_ID' } })
    } else {
      peer.reply(frame, { body: {} })
      const due = this.log.filter(event => event.id > frame.last_event_id)
      if (due.length > 0) peer.send({ op: 'events', events: due })
    }
  }
}

export async function fakeServer(t: Teardown): Promise<FakeServer> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await new Promise(resolve => server.once('listening', resolve))
  t.teardown(() => {
    for (const socket of server.clients) socket.terminate()
    server.close()
  })
  return new FakeServer(server)
}

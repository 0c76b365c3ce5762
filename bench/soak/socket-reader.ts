import WebSocket from 'ws'
import type { Client } from '../../shared/client/client.js'
import { connect } from '../../shared/client/connect.js'
import type { WebSocketClass } from '../../shared/client/web-socket.js'
import type { Codec } from '../../shared/wire/codec.js'
import type { WireEvent } from '../../shared/wire/frames.js'
import type { Account } from '../lib/load-protocol.js'
import type { QueueCheck } from './queue-check.js'
import { caughtUp, checkFrom, type Reader, type Reading, registerParams } from './reader.js'

interface SocketReaderOptions {
  readonly codec: Codec
  /** Expects only events of these types. */
  readonly types?: readonly string[]
  /** The reader is so slow that the server may evict its queue. */
  readonly mayLose?: boolean
}

/** The client package over a socket, whose connection breaks now and then. */
export class SocketReader implements Reader {
  check: QueueCheck | undefined
  listening: number | undefined
  private client!: Client
  private socket: WebSocket | undefined
  private isStopped = false

  constructor(
    readonly name: string,
    private readonly reading: Reading,
    private readonly who: Account,
    private readonly options: SocketReaderOptions,
  ) {}

  async start(): Promise<this> {
    const { url, fail, idleSeconds } = this.reading
    const { codec, types, mayLose } = this.options
    let begin = checkFrom(this.reading, this.name, this.who, types)
    // Events that arrive in the same packet as the answer to `register`.
    const early: WireEvent[] = []
    const client = connect({
      url: url.href,
      email: this.who.email,
      apiKey: this.who.api_key,
      codec,
      webSocket: this.sockets(),
      // In ms; the client must reconnect within the idle timeout of its queue, despite interruptions.
      backoff: { maxMs: 1000 },
      register: { ...registerParams(idleSeconds), ...(types && { event_types: types }) },
      onEvent: event => {
        if (this.check) this.received(event)
        else if (!this.isStopped) early.push(event)
      },
    })
    this.client = client
    client.observe('error', error => fail(error as Error))
    client.observe('state', ({ state }) => {
      this.listening = state === 'live' ? performance.now() : undefined
      // The queue is gone: the check of the new queue begins here.
      if (state === 'connecting') begin = checkFrom(this.reading, this.name, this.who, types)
    })
    client.observe('restarted', ({ last_event_id }) => {
      if (!mayLose) fail(new Error(`${this.name} lost its queue`))
      this.reading.count('slow readers whose queue is gone')
      this.check = begin(last_event_id)
    })
    const registered = await (client.registered as Promise<{ last_event_id: number }>)
    this.reading.count('queues registered')
    this.check = begin(registered.last_event_id)
    for (const event of early) this.received(event)
    return this
  }

  private received(event: WireEvent): void {
    this.reading.count(`received: ${event.type}`)
    try {
      this.check?.received(event)
    } catch (error) {
      this.reading.fail(error as Error)
    }
  }

  /** Breaks the connection; the client reconnects and resumes. */
  disturb(): void {
    this.reading.count('connections broken')
    this.listening = undefined
    this.socket?.terminate()
  }

  /** Stops reading until `read`, like a sleeping machine. */
  pause(): void {
    this.listening = undefined
    this.socket?.pause()
  }

  read(): void {
    this.socket?.resume()
    if (this.client.state === 'live') this.listening = performance.now()
  }

  async stop(isPolite: boolean): Promise<void> {
    if (isPolite) await caughtUp(this, this.reading.ledger)
    this.isStopped = true
    this.listening = undefined
    this.check = undefined
    const queue_id = this.client.position?.queueId
    await this.client.close()
    if (isPolite) {
      await this.reading.api.call(this.who, 'DELETE', '/events', { queue_id })
      this.reading.count('queues deleted')
    }
  }

  /** Records the present socket, to break it, and the close code of the server. */
  private sockets(): WebSocketClass {
    const opened = (socket: WebSocket) => {
      this.socket = socket
      socket.on('close', code => {
        this.reading.count(`connections closed with ${code}`)
      })
    }
    return class extends WebSocket {
      constructor(url: string, protocols: string[]) {
        super(url, protocols, { perMessageDeflate: false })
        opened(this)
      }
    } as unknown as WebSocketClass
  }
}

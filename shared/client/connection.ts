import type { Codec } from '../wire/codec.js'
import type { ClientFrame, ServerFrame, WireEvent } from '../wire/frames.js'
import { hasAnsweredAll } from './closing.js'
import { decodeFrame, decompressFrame, encodeFrame, isCompressed, subprotocolsFor } from './coding.js'
import { errorOfReply, NotBegun, RequestError } from './request-error.js'
import { open, type WebSocketClass, type WebSocketLike } from './web-socket.js'

export interface ConnectionOptions {
  readonly url: string
  readonly codec: Codec
  readonly isCompressed: boolean
  readonly webSocket: WebSocketClass
  /** Timeout of opening the socket and of each request, in ms. */
  readonly timeoutMs: number
  /** An attached connection without a frame for this many ms counts as dead; the server's heartbeats come well before. */
  readonly silenceMs: number
  onEvents(events: readonly WireEvent[]): void
  /** The server could not read a frame from this client. */
  onProtocolError(code: string, message: string): void
}

export interface Closing {
  readonly code: number
  readonly reason: string
}

type Body = Record<string, unknown>
type Asking = Extract<ClientFrame, { op: 'register' | 'attach' | 'request' | 'detach' }>

// Timeout in ms of the closing handshake: enough for a close frame over a slow network, and short for a user who waits.
const closingMs = 2000

interface PendingRequest {
  resolve(body: Body): void
  reject(error: RequestError): void
  accept?(body: Body): void
  readonly timer: ReturnType<typeof setTimeout>
}

/**
 * One socket, from its opening to its end: it sends frames, resolves requests with their replies and passes events to
 * the session.
 */
export class Connection {
  readonly opened: Promise<void>
  readonly closed: Promise<Closing>
  private readonly socket: WebSocketLike
  private readonly requests = new Map<number, PendingRequest>()
  private end!: (closing: Closing) => void
  private lastId = 0
  private hasEnded = false
  private receivedFrame = false
  /** Ends when all that has arrived is handled; undefined: nothing waits. */
  private turn: Promise<unknown> | undefined
  /** The timer of the current phase: first the opening timeout, then the heartbeat timeout, at last the closing timeout. */
  private timer: ReturnType<typeof setTimeout>

  constructor(private readonly options: ConnectionOptions) {
    const socket = new options.webSocket(options.url, subprotocolsFor(options.codec, options.isCompressed))
    this.socket = socket
    socket.binaryType = 'arraybuffer'
    this.closed = new Promise(resolve => {
      this.end = resolve
    })
    this.opened = new Promise(resolve => {
      socket.onopen = () => {
        clearTimeout(this.timer)
        resolve()
      }
    })
    socket.onmessage = ({ data }: { data: string | ArrayBuffer }) => this.inTurn(() => this.read(data))
    // A close event with code and reason always follows an error event.
    socket.onerror = () => {}
    socket.onclose = ({ code, reason }: Closing) => this.inTurn(() => this.ended({ code, reason }))
    this.timer = setTimeout(() => this.close(), options.timeoutMs)
  }

  /** Starts or stops the heartbeat timeout: the server sends heartbeats only to an attached queue. */
  expectHeartbeats(isAttached: boolean): void {
    clearTimeout(this.timer)
    if (!isAttached || this.hasEnded) return
    this.receivedFrame = false
    this.timer = setTimeout(() => {
      if (this.receivedFrame) this.expectHeartbeats(true)
      else this.close(4000, 'silence')
    }, this.options.silenceMs)
  }

  /** Does nothing once the socket closes; the missing reply then fails the request. */
  send(frame: ClientFrame): void {
    if (this.socket.readyState === open) this.socket.send(encodeFrame(frame, this.options.codec))
  }

  /**
   * Sends a frame and waits for its reply. `accept` runs before the connection handles any later frame; a promise
   * callback would run later.
   * @throws {RequestError} the refusal, or the reason why no reply came.
   */
  ask(frame: Asking, accept?: (body: Body) => void): Promise<Body> {
    return new Promise((resolve, reject) => {
      if (this.hasEnded) return reject(lost())
      this.lastId += 1
      const id = this.lastId
      const timer = setTimeout(() => {
        this.requests.delete(id)
        reject(new RequestError('TIMEOUT', `no reply within ${this.options.timeoutMs} ms`))
      }, this.options.timeoutMs)
      this.requests.set(id, { resolve, reject, accept, timer })
      this.send({ ...frame, id })
    })
  }

  close(code = 1000, reason = ''): void {
    if (this.hasEnded) return
    this.socket.close(code, reason)
    // A dead server never sends its close frame.
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.ended({ code: 1006, reason: 'no close frame' }), closingMs)
  }

  /** Handles what arrived after what arrived before it: a compressed frame is not readable at once. */
  private inTurn(work: () => unknown): void {
    const later = () => nextTask().then(work)
    const turn = this.turn ? this.turn.then(later, later) : work()
    if (!(turn instanceof Promise)) return
    this.turn = turn
    void turn.finally(() => {
      if (this.turn === turn) this.turn = undefined
    })
  }

  /** A promise while a frame is decompressed. */
  private read(data: string | ArrayBuffer): Promise<void> | undefined {
    if (this.hasEnded) return undefined
    this.receivedFrame = true
    if (!isCompressed(data)) {
      this.received(decodeFrame(data))
      return undefined
    }
    return decompressFrame(data, this.options.codec).then(
      frame => this.received(frame),
      () => {
        // What follows would come after a gap.
        this.socket.close()
        this.ended({ code: 1006, reason: 'a compressed frame cannot be read' })
      },
    )
  }

  private received(frame: ServerFrame): void {
    if (frame.op === 'events') this.options.onEvents(frame.events)
    else if (frame.op === 'reply') this.answered(frame)
    else if (frame.op === 'error') this.options.onProtocolError(frame.code, frame.msg)
  }

  private answered({ id, status, body }: Extract<ServerFrame, { op: 'reply' }>): void {
    const question = this.requests.get(id as number)
    if (!question) return
    this.requests.delete(id as number)
    clearTimeout(question.timer)
    if (body.result === 'success') {
      question.accept?.(body)
      question.resolve(body)
    } else {
      question.reject(errorOfReply(status, body))
    }
  }

  private ended(closing: Closing): void {
    if (this.hasEnded) return
    this.hasEnded = true
    clearTimeout(this.timer)
    const isUndone = hasAnsweredAll(closing.code, closing.reason)
    for (const { reject, timer } of this.requests.values()) {
      clearTimeout(timer)
      reject(isUndone ? new NotBegun() : lost())
    }
    this.requests.clear()
    this.end(closing)
  }
}

/** As each frame that is read at once: what waits for the reply before it goes on first. A page that is not in sight has slow timers. */
function nextTask(): Promise<void> {
  return new Promise(resolve => {
    const { port1, port2 } = new MessageChannel()
    const arrived = () => {
      port1.close()
      resolve()
    }
    port1.addEventListener('message', arrived)
    port1.start()
    port2.postMessage(undefined)
  })
}

const lost = (): RequestError => new RequestError('CONNECTION_LOST', 'the connection broke before the reply came')

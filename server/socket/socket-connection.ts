import type { WebSocket } from 'uWebSockets.js'
import { ApiError, badRequest } from '../../shared/errors.js'
import { type CloseCode, closeCodes, closeReasons } from '../../shared/wire/close-codes.js'
import type { Codec } from '../../shared/wire/codec.js'
import type { ClientFrame, FrameId } from '../../shared/wire/frames.js'
import { budgets } from '../config/budgets.js'
import { success } from '../http/answer.js'
import type { Connections, OpenSocket } from '../http/connections.js'
import { surchargeOf } from '../limits/request-cost.js'
import type { KnownSession } from '../memory/accepted-sessions.js'
import { FrameScheduler } from './frame-scheduler.js'
import { handleFrame } from './handle-frame.js'
import { HeldFrames } from './held-frames.js'
import { readFrame } from './read-frame.js'
import { type Opening, Session, secondsOf } from './session.js'
import type { Credentials } from './socket-caller.js'

/** The user data of the native socket; uWebSockets copies the fields of this object. */
export interface SocketData {
  readonly connection: SocketConnection
}

// One unreadable frame may be an accident; a client that sends three does not use this protocol.
const maxUnreadable = 3
const maxAuthBytes = budgets.authFrameBytes.most

/**
 * One socket, from its opening to its end: reads frames and starts them in order.
 *
 * | state           | a frame arrives                                        | leaves the state                                                        |
 * |-----------------|--------------------------------------------------------|-------------------------------------------------------------------------|
 * | `awaiting-auth` | `auth`: to `checking`; another one closes (4001, 4003) | credentials of the upgrade: to `checking`; after SOCKET_AUTH_SECONDS closes (4001) |
 * | `checking`      | is held                                                | right credentials: to `open`, the held frames are read; wrong ones close (4001, 4003) |
 * | `open`          | is read and started                                    | the server stops: to `stopping`                                         |
 * | `stopping`      | is dropped                                             | every started frame is done: closes (1012)                              |
 * | `closed`        |                                                        |                                                                         |
 */
export class SocketConnection implements OpenSocket {
  readonly session: Session
  private state: 'awaiting-auth' | 'checking' | 'open' | 'stopping' | 'closed' = 'awaiting-auth'
  private authorization: string
  private readonly pageSession: Opening['session']
  private release: (() => void) | undefined
  private authTimer: NodeJS.Timeout | undefined
  private readonly held = new HeldFrames()
  private readonly scheduler: FrameScheduler
  private unreadable = 0
  /** The account for which the socket is counted; null: counted as a spectator's; undefined: counted as not authenticated. */
  private countedFor: number | null | undefined

  constructor(
    private readonly connections: Connections,
    { authorization, session, ...opening }: Opening,
  ) {
    this.authorization = authorization
    this.pageSession = session
    this.session = new Session(connections, opening)
    // Room for a few frames of the largest size, or for many of the usual size.
    this.scheduler = new FrameScheduler(this, connections.ctx.config.maxFrameBytes * 4)
  }

  get codec(): Codec {
    return this.session.codec
  }

  // Callbacks of uWebSockets.

  opened(socket: WebSocket<SocketData>): void {
    const { connections, session } = this
    session.sender.opened(socket)
    if (connections.isStopping) {
      // The upgrade came over a kept-alive connection while the worker stops; the close code asks the client to reconnect.
      session.sender.close(closeCodes.restarting, closeReasons.restarting)
      return
    }
    connections.sockets.add(this)
    connections.counts.opened[this.codec]++
    connections.socketCounts.opened(session.charges.network)
    const { authorization } = this
    this.authorization = ''
    if (this.pageSession === 'ended') {
      this.refuse('the session has ended')
      return
    }
    const credentials = this.pageSession ?? authorization
    if (credentials !== '') {
      void this.identify(credentials)
      return
    }
    const wait = connections.ctx.config.socketAuthSeconds * 1000
    this.authTimer = setTimeout(() => this.refuse('no credentials came'), wait)
  }

  receive(bytes: ArrayBuffer, isBinary: boolean): void {
    if (this.state === 'open') this.read(bytes, isBinary)
    else if (this.state === 'awaiting-auth') this.readAuth(bytes, isBinary)
    // `reason` holds the seconds (docs/protocol/socket.md#before-the-caller-is-known).
    else if (this.state === 'checking' && !this.held.take(bytes, isBinary)) this.close(closeCodes.rateLimit, '1')
  }

  drained(): void {
    if (!this.session.sender.drained()) return
    this.session.drained()
    this.scheduler.startWaiting()
  }

  /** Cannot happen while uWebSockets' own limit is off; a dropped event would be a silent gap. */
  dropped(): void {
    this.close(closeCodes.tooSlow, 'a frame was dropped')
  }

  closed(): void {
    const { connections, session } = this
    this.state = 'closed'
    this.release?.()
    session.sender.closed()
    if (connections.sockets.delete(this)) connections.socketCounts.closed(session.charges.network, this.countedFor)
    clearTimeout(this.authTimer)
    this.scheduler.clear()
    session.abort()
    // The event engine may be closing the socket in the middle of its own work.
    queueMicrotask(() => session.detach())
  }

  /** The server stops: requests in progress are answered, waiting frames are dropped. */
  stop(): void {
    this.state = 'stopping'
    this.scheduler.clear()
    this.session.abort()
    this.idle()
  }

  // Authentication.

  /** A wrong first frame counts against the client's network, as a wrong key does. */
  private readAuth(bytes: ArrayBuffer, isBinary: boolean): void {
    const { charges } = this.session
    try {
      charges.requireLeft(null)
      const isSmall = bytes.byteLength <= maxAuthBytes
      const frame = isSmall ? readFrame(this.codec, bytes, isBinary) : undefined
      if (typeof frame === 'object' && frame.op === 'auth') void this.identify(frame, frame.id)
      else {
        charges.admit()
        this.refuse(`the first frame is auth, of at most ${maxAuthBytes} bytes`)
      }
    } catch (thrown) {
      this.refuseFor(thrown as ApiError)
    }
  }

  /** No other frame is read before this ends. Wrong credentials close the socket. */
  private async identify(
    credentials: string | Credentials | KnownSession | Promise<KnownSession>,
    id?: FrameId | null,
  ): Promise<void> {
    clearTimeout(this.authTimer)
    this.state = 'checking'
    const { session } = this
    try {
      if (credentials instanceof Promise) this.begin(await credentials)
      else if (isSession(credentials)) this.begin(credentials)
      else await session.caller.identify(credentials)
      if (this.state !== 'checking') return
      this.count()
      session.reply(id, success({ user_id: session.caller.present()?.id ?? null }, [], this.codec))
      this.state = 'open'
      for (const { bytes, isBinary } of this.held.release()) if (session.sender.isOpen) this.read(bytes, isBinary)
    } catch (thrown) {
      session.reply(id, session.refusal(thrown, 'auth'))
      if (thrown instanceof ApiError) this.refuseFor(thrown)
      else this.close(closeCodes.restarting, 'credentials could not be checked')
    }
  }

  private begin(pageSession: KnownSession): void {
    if (this.state !== 'checking') return
    this.session.caller.identifyBy(pageSession)
    this.release = this.connections.sessions.hold(pageSession, () => this.refuse('the session has ended'))
  }

  /** @throws {ApiError} RATE_LIMIT_HIT for an account with too many sockets, or without requests left. */
  private count(): void {
    const { charges, caller } = this.session
    const userId = caller.userId ?? null
    if (userId !== null) charges.requireLeft(userId)
    this.connections.socketCounts.identified(charges.network, userId)
    this.countedFor = userId
  }

  private refuseFor(error: ApiError): void {
    if (error.code === 'RATE_LIMIT_HIT') this.close(closeCodes.rateLimit, secondsOf(error))
    else this.refuse('authentication failed')
  }

  private refuse(reason: string): void {
    this.close(closeCodes.unauthenticated, reason)
  }

  private close(code: CloseCode, reason: string): void {
    this.session.sender.close(code, reason)
  }

  // Frames.

  private read(bytes: ArrayBuffer, isBinary: boolean): void {
    if (bytes.byteLength > this.connections.ctx.config.maxFrameBytes) {
      this.close(closeCodes.tooLarge, 'frame too large')
      return
    }
    const frame = readFrame(this.codec, bytes, isBinary)
    if (typeof frame === 'string') {
      this.unread(frame)
      return
    }
    this.unreadable = 0
    const points = surchargeOf({ ms: 0, bytesIn: bytes.byteLength, bytesOut: 0 })
    if (points > 0) this.session.surcharge(points)
    // `reason` holds the seconds (docs/protocol/socket.md#waiting-frames).
    if (!this.scheduler.take(frame, bytes.byteLength)) this.close(closeCodes.rateLimit, '1')
  }

  private unread(problem: string): void {
    this.unreadable++
    this.session.refuseFrame(badRequest(problem))
    if (this.unreadable >= maxUnreadable) this.close(closeCodes.protocol, 'three unreadable frames')
  }

  // For the scheduler.

  handle(frame: ClientFrame, bytes: number): Promise<void> | undefined {
    return handleFrame(this.session, frame, bytes)
  }

  /** False while the client reads too slowly. */
  mayStart(): boolean {
    return !this.session.sender.isBehind()
  }

  idle(): void {
    // The close reason promises that every request that was started has its reply.
    if (this.state === 'stopping' && this.scheduler.isIdle) this.close(closeCodes.restarting, closeReasons.restarting)
  }
}

const isSession = (credentials: string | Credentials | KnownSession): credentials is KnownSession =>
  typeof credentials === 'object' && 'checkAt' in credentials

import type { WebSocket } from 'uWebSockets.js'
import { ApiError, badRequest } from '../../shared/errors.js'
import { closeCodes, closeReasons } from '../../shared/wire/close-codes.js'
import type { Codec } from '../../shared/wire/codec.js'
import type { ClientFrame, FrameId } from '../../shared/wire/frames.js'
import type { Actor } from '../access/actor.js'
import type { Visitor } from '../access/api-key.js'
import { budgets } from '../budgets.js'
import { type Answer, refusal, success } from '../http/answer.js'
import type { Edge } from '../http/connections.js'
import type { RateLimitCounter } from '../limits/rate-limit-counter.js'
import { surchargeOf } from '../limits/request-cost.js'
import type { Attachment } from '../realtime/realtime.js'
import { networkOf } from '../text/addresses.js'
import { Lanes } from './frame-scheduler.js'
import { handleFrame } from './handle-frame.js'
import { HeldFrames } from './held-frames.js'
import { readFrame } from './read-frame.js'
import { Caller, type Credentials } from './socket-caller.js'
import { SocketSender } from './socket-sender.js'
import { encodeError, encodeReply } from './write-frame.js'

/** The user data of the native socket; uWebSockets copies the fields of this object. */
export interface SocketData {
  readonly session: Session
}

export interface Opening {
  readonly codec: Codec
  readonly authorization: string
  readonly client: string
  readonly address: string
}

// One unreadable frame may be an accident; a client that sends three does not use this protocol.
const maxUnreadable = 3
// Refused frames in a row. A client may have sent as many as may run at once before it saw the first refusal; with one more it ignores
// refusals.
const maxRefused = 64
const maxAuthBytes = budgets.authFrameBytes.most

/** One socket: its caller, its attachment and its requests. */
export class Session implements Visitor {
  readonly sender: SocketSender
  readonly caller: Caller
  readonly address: string
  private readonly lanes: Lanes
  private attachment: Attachment | undefined
  private authorization: string
  /** Before `open` the caller is unknown: the session waits for an `auth` frame, then checks its key. */
  private stage: 'awaiting-auth' | 'checking' | 'open' = 'awaiting-auth'
  private readonly held = new HeldFrames()
  private authTimer: NodeJS.Timeout | undefined
  private controller: AbortController | undefined
  private unreadable = 0
  private counter: RateLimitCounter | undefined
  /** Frames in a row that the rate limit refused. */
  private refused = 0
  /** The account for which the socket is counted; null: counted as a visitor's; undefined: counted as not authenticated. */
  private countedFor: number | null | undefined
  private readonly network: string
  private isStopping = false

  constructor(
    readonly edge: Edge,
    { codec, authorization, client, address }: Opening,
  ) {
    this.sender = new SocketSender(edge, codec)
    this.caller = new Caller(edge, client, this)
    this.authorization = authorization
    this.address = address
    this.network = networkOf(address)
    // Room for a few frames of the largest size, or for many of the usual size.
    this.lanes = new Lanes(this, edge.ctx.config.maxFrameBytes * 4)
  }

  // Callbacks of uWebSockets.

  opened(socket: WebSocket<SocketData>): void {
    this.sender.opened(socket)
    if (this.edge.isStopping) {
      // The upgrade came over a kept-alive connection while the worker stops; the code tells the client to reconnect.
      this.sender.close(closeCodes.restarting, closeReasons.restarting)
      return
    }
    this.edge.sessions.add(this)
    this.edge.counts.opened[this.sender.codec]++
    this.edge.sockets.opened(this.network)
    const { authorization } = this
    this.authorization = ''
    if (authorization !== '') {
      void this.identify(authorization)
      return
    }
    const wait = this.edge.ctx.config.socketAuthSeconds * 1000
    this.authTimer = setTimeout(() => this.refuse('no credentials came'), wait)
  }

  receive(bytes: ArrayBuffer, isBinary: boolean): void {
    if (this.stage === 'open') this.read(bytes, isBinary)
    else if (this.stage === 'awaiting-auth') this.readAuth(bytes, isBinary)
    // `reason` holds the seconds (docs/protocol/socket.md#before-the-caller-is-known).
    else if (!this.held.take(bytes, isBinary)) this.sender.close(closeCodes.rateLimit, '1')
  }

  /** A wrong first frame counts against the client's network, as a wrong key does. */
  private readAuth(bytes: ArrayBuffer, isBinary: boolean): void {
    const { addresses } = this.edge.limits
    try {
      addresses?.requireLeft(addresses.of(this.network))
      const isSmall = bytes.byteLength <= maxAuthBytes
      const frame = isSmall ? readFrame(this.sender.codec, bytes, isBinary) : undefined
      if (typeof frame === 'object' && frame.op === 'auth') void this.identify(frame, frame.id)
      else {
        this.admit()
        this.refuse(`the first frame is auth, of at most ${maxAuthBytes} bytes`)
      }
    } catch (thrown) {
      this.refuseFor(thrown as ApiError)
    }
  }

  private read(bytes: ArrayBuffer, isBinary: boolean): void {
    if (bytes.byteLength > this.edge.ctx.config.maxFrameBytes) {
      this.sender.close(closeCodes.tooLarge, 'frame too large')
      return
    }
    const frame = readFrame(this.sender.codec, bytes, isBinary)
    if (typeof frame === 'string') {
      this.unread(frame)
      return
    }
    this.unreadable = 0
    this.take(frame, bytes.byteLength)
  }

  drained(): void {
    if (!this.sender.drained()) return
    this.attachment?.drained()
    this.lanes.pump()
  }

  /** Cannot happen while uWebSockets' own limit is off; a dropped event would be a silent gap. */
  dropped(): void {
    this.sender.close(closeCodes.tooSlow, 'a frame was dropped')
  }

  closed(): void {
    this.sender.closed()
    if (this.edge.sessions.delete(this)) this.edge.sockets.closed(this.network, this.countedFor)
    clearTimeout(this.authTimer)
    this.lanes.clear()
    this.controller?.abort()
    // The event engine may be closing the socket in the middle of its own work.
    queueMicrotask(() => this.detach())
  }

  /** The server stops: requests in progress are answered, waiting frames are dropped. */
  stop(): void {
    this.isStopping = true
    this.lanes.clear()
    this.controller?.abort()
    this.idle()
  }

  // Authentication.

  /** No other frame is read before this ends. Wrong credentials close the socket. */
  async identify(credentials: string | Credentials, id?: FrameId | null): Promise<void> {
    clearTimeout(this.authTimer)
    this.stage = 'checking'
    const { codec } = this.sender
    try {
      await this.caller.identify(credentials)
      this.count()
      this.reply(id, success({ user_id: this.caller.actor()?.user.id ?? null }, [], codec))
      this.stage = 'open'
      for (const { bytes, isBinary } of this.held.release()) if (this.sender.isOpen) this.read(bytes, isBinary)
    } catch (thrown) {
      this.reply(id, this.refusal(thrown, 'auth'))
      if (thrown instanceof ApiError) this.refuseFor(thrown)
      else this.sender.close(closeCodes.restarting, 'credentials could not be checked')
    }
  }

  /**
   * The present caller. Closes the socket if the caller is no longer admitted.
   * @throws {ApiError} UNAUTHORIZED
   */
  actor(): Actor | null {
    try {
      return this.caller.actor()
    } catch (thrown) {
      this.refuse('no longer allowed')
      throw thrown
    }
  }

  /** @throws {ApiError} RATE_LIMIT_HIT for an account with too many sockets, or without requests left. */
  private count(): void {
    if (!this.sender.isOpen) return
    const { sockets, limits } = this.edge
    const userId = this.caller.userId ?? null
    if (userId !== null && limits.users) {
      this.counter = limits.users.of(userId)
      limits.users.requireLeft(this.counter)
    }
    sockets.identified(this.network, userId)
    this.countedFor = userId
  }

  private refuseFor({ code, fields }: ApiError): void {
    if (code === 'RATE_LIMIT_HIT') this.sender.close(closeCodes.rateLimit, secondsOf(fields))
    else this.refuse('authentication failed')
  }

  // Rate limits.

  admit(): void {
    const { addresses } = this.edge.limits
    addresses?.charge(addresses.of(this.network))
  }

  succeeded(): void {
    this.edge.limits.addresses?.giveBack(this.network)
  }

  /**
   * Counts a frame as a request of the account; a visitor's against the client's network. Closes the socket of a client that ignores
   * refusals.
   * @throws {ApiError} RATE_LIMIT_HIT
   */
  charge(): void {
    const { users, addresses } = this.edge.limits
    try {
      if (!this.caller.userId) addresses?.charge(addresses.of(this.network))
      else if (users) {
        this.counter ??= users.of(this.caller.userId)
        users.charge(this.counter)
      }
      this.refused = 0
    } catch (thrown) {
      this.refused++
      if (this.refused > maxRefused) this.sender.close(closeCodes.rateLimit, secondsOf((thrown as ApiError).fields))
      throw thrown
    }
  }

  /** Counts further requests for an expensive frame. */
  surcharge(points: number): void {
    const { users, addresses } = this.edge.limits
    if (!this.caller.userId) addresses?.surcharge(addresses.of(this.network), points)
    else if (this.counter) users?.surcharge(this.counter, points)
  }

  /** Counts a refused frame against the caller and answers it with an `error` frame. */
  refuseFrame(error: ApiError): void {
    let told = error
    try {
      this.charge()
    } catch (thrown) {
      told = thrown as ApiError
    }
    this.sender.reply(encodeError(this.sender.codec, told.code, told.message))
  }

  /** The error answer to a frame that is not a request. */
  refusal(thrown: unknown, frame: string): Answer {
    const { ctx, counts, ids } = this.edge
    const answer = refusal(ctx, thrown, frame, this.sender.codec, ids.fresh())
    counts.refused(answer.code ?? 'INTERNAL_ERROR')
    return answer
  }

  private refuse(reason: string): void {
    this.sender.close(closeCodes.unauthenticated, reason)
  }

  // Requests.

  private take(frame: ClientFrame, bytes: number): void {
    if (this.isStopping) return
    const points = surchargeOf({ ms: 0, bytesIn: bytes, bytesOut: 0 })
    if (points > 0) this.surcharge(points)
    // `reason` holds the seconds (docs/protocol/socket.md#waiting-frames).
    if (!this.lanes.take(frame, bytes)) this.sender.close(closeCodes.rateLimit, '1')
  }

  private unread(problem: string): void {
    this.unreadable++
    this.refuseFrame(badRequest(problem))
    if (this.unreadable >= maxUnreadable) this.sender.close(closeCodes.protocol, 'three unreadable frames')
  }

  handle(frame: ClientFrame, bytes: number): Promise<void> | undefined {
    return handleFrame(this, frame, bytes)
  }

  mayStart(): boolean {
    return !this.sender.isBehind()
  }

  idle(): void {
    // The close reason promises that every request that was started has its reply.
    if (this.isStopping && this.lanes.isIdle) this.sender.close(closeCodes.restarting, closeReasons.restarting)
  }

  /** Aborts waiting requests when the socket is gone or the server stops. */
  get signal(): AbortSignal {
    this.controller ??= new AbortController()
    if (!this.sender.isOpen || this.isStopping) this.controller.abort()
    return this.controller.signal
  }

  reply(id: FrameId | null | undefined, answer: Answer): void {
    if (id != null) this.sender.reply(encodeReply(this.sender.codec, id, answer))
  }

  // Attachment to a queue.

  /** Detaches the previous queue first: it may be the same one. */
  async attach(userId: number, queueId: string, lastEventId: number): Promise<void> {
    this.detach()
    if (!this.sender.isOpen) return
    const attachment = await this.edge.ctx.realtime.attach(queueId, userId, lastEventId, this.sender)
    if (this.sender.isOpen) this.attachment = attachment
    else attachment.detach()
  }

  /** @throws {ApiError} BAD_REQUEST */
  acknowledge(lastEventId: number): void {
    if (!this.attachment) throw badRequest('This socket is not attached to a queue.')
    this.attachment.acknowledge(lastEventId)
  }

  detach(): void {
    const { attachment } = this
    this.attachment = undefined
    attachment?.detach()
  }
}

/** Whole seconds, at least one, for the `reason` of the close frame. */
function secondsOf(fields: ApiError['fields']): string {
  return String(Math.max(1, Math.ceil(Number(fields['retry-after']))))
}

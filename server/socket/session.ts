import { type ApiError, badRequest } from '../../shared/errors.js'
import { closeCodes } from '../../shared/wire/close-codes.js'
import type { Codec } from '../../shared/wire/codec.js'
import type { FrameId } from '../../shared/wire/frames.js'
import type { Applicant } from '../http/admission.js'
import { type Answer, refusal } from '../http/answer.js'
import type { Connections } from '../http/connections.js'
import type { PipelineDeps } from '../http/run.js'
import { CallerCharges } from '../limits/caller-charges.js'
import type { KnownSession } from '../memory/accepted-sessions.js'
import type { Attachment } from '../realtime/realtime.js'
import type { UserRow } from '../store/users/users.js'
import { PageSocket } from './page-socket.js'
import { SocketCaller } from './socket-caller.js'
import { SocketSender } from './socket-sender.js'
import { encodeError, encodeReply, largeReply } from './write-frame.js'

export interface Opening {
  readonly codec: Codec
  /** Large replies are compressed. */
  readonly packs: boolean
  readonly authorization: string
  /** The session of a page's cookie; a promise: the table is being asked; `ended`: there is none. Undefined: the socket is of no page. */
  readonly session: KnownSession | Promise<KnownSession> | 'ended' | undefined
  readonly client: string
  readonly address: string
}

// Refused frames in a row. A client may have sent as many as may run at once before it saw the first refusal; with one more it ignores
// refusals.
const maxRefused = 64

/** What the frames of one socket act on: its caller, what the caller may still ask for, and the attached queue. */
export class Session implements Applicant {
  readonly codec: Codec
  readonly address: string
  readonly sender: SocketSender
  readonly charges: CallerCharges
  readonly caller: SocketCaller
  private attachment: Attachment | undefined
  private controller: AbortController | undefined
  private isAborted = false
  /** Frames in a row that the rate limit refused. */
  private refused = 0
  private readonly packs: boolean

  constructor(
    readonly connections: Connections,
    { codec, packs, client, address }: Omit<Opening, 'authorization' | 'session'>,
  ) {
    this.codec = codec
    this.packs = packs
    this.address = address
    this.sender = new SocketSender(connections, codec)
    this.charges = new CallerCharges(connections.limits, this)
    this.caller = new SocketCaller(connections, client, this.charges)
  }

  /** What the requests of this socket use: a session has almost the same operations as a key. */
  get deps(): PipelineDeps {
    return this.caller.sessionId === undefined ? this.connections : this.connections.ofPages
  }

  /** Aborts waiting requests when the socket is gone or the server stops. */
  get signal(): AbortSignal {
    this.controller ??= new AbortController()
    if (this.isAborted) this.controller.abort()
    return this.controller.signal
  }

  abort(): void {
    this.isAborted = true
    this.controller?.abort()
  }

  /**
   * The present account of the caller; null: a spectator. Closes the socket if the caller is no longer admitted.
   * @throws {ApiError} UNAUTHORIZED
   */
  identify(): UserRow | null {
    try {
      return this.caller.present()
    } catch (thrown) {
      this.sender.close(closeCodes.unauthenticated, 'no longer allowed')
      throw thrown
    }
  }

  /**
   * Counts a frame as a request of the account, a spectator's against the client's network. Closes the socket of a client that ignores
   * refusals.
   * @throws {ApiError} RATE_LIMIT_HIT
   */
  charge(): void {
    try {
      this.charges.charge(this.caller.userId)
      this.refused = 0
    } catch (thrown) {
      this.refused++
      if (this.refused > maxRefused) this.sender.close(closeCodes.rateLimit, secondsOf(thrown as ApiError))
      throw thrown
    }
  }

  /** Counts further requests for an expensive frame. */
  surcharge(points: number): void {
    this.charges.surcharge(this.caller.userId, points)
  }

  /** A promise while a thread compresses the reply; it is sent when the promise resolves. */
  reply(id: FrameId | null | undefined, answer: Answer): Promise<void> | undefined {
    if (id == null) return undefined
    const chunks = this.packs && !answer.isSecret ? largeReply(this.codec, id, answer) : undefined
    const packed = chunks && this.connections.packer.pack(chunks, 'gzip')
    if (!packed) {
      this.sender.reply(encodeReply(this.codec, id, answer))
      return undefined
    }
    const send = (frame: readonly Uint8Array[]) => this.sender.reply(Buffer.concat(frame), true)
    if (packed instanceof Promise) return packed.then(send)
    send(packed)
    return undefined
  }

  /** The error answer to a frame that is not a request. */
  refusal(thrown: unknown, frame: string): Answer {
    const { ctx, counts, ids } = this.connections
    const answer = refusal(ctx, thrown, { operation: frame, codec: this.codec, named: ids.named(this) })
    counts.refused(answer.code ?? 'INTERNAL_ERROR')
    return answer
  }

  /** Counts a refused frame against the caller and answers it with an `error` frame. */
  refuseFrame(error: ApiError): void {
    let reported = error
    try {
      this.charge()
    } catch (thrown) {
      reported = thrown as ApiError
    }
    this.sender.reply(encodeError(this.codec, reported.code, reported.message))
  }

  /** Detaches the previous queue first: it may be the same one. */
  async attach(userId: number, queueId: string, lastEventId: number): Promise<void> {
    this.detach()
    if (!this.sender.isOpen) return
    const socket = this.caller.sessionId === undefined ? this.sender : new PageSocket(this.sender)
    const attachment = await this.connections.ctx.realtime.attach(queueId, userId, lastEventId, socket)
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

  /** All bytes have been sent. */
  drained(): void {
    this.attachment?.drained()
  }
}

/** Whole seconds, at least one, for the `reason` of the close frame. */
export function secondsOf({ fields }: ApiError): string {
  return String(Math.max(1, Math.ceil(Number(fields['retry-after']))))
}

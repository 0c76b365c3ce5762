import { ApiError } from '../../shared/errors.js'
import { FairQueue, RecentUse } from '../concurrency/fair-queue.js'
import { budgets } from '../config/budgets.js'
import type { Log } from '../log.js'
import { DecoderEnded, DecoderProcess, NotDrawn } from './decoder-process.js'
import type { Drawing, Drawn } from './drawing.js'

/** A picture that is to be read, and the account that asked for it. */
export interface PictureSource {
  /** The account whose turn it uses; null: callers without an account, who share one. */
  readonly account: number | null
  /** The file; a function reads it when its turn has come, so that a stored file takes no memory while it waits. */
  readonly file: Buffer | (() => Promise<Buffer>)
  /** Aborts when the caller is gone: the picture leaves the queue, or its decoding ends. */
  readonly signal?: GoneSignal | undefined
  /** How long it waits for its turn at most, in ms; absent: the budget. */
  readonly waitMs?: number
}

/** The part of an AbortSignal, or of the signal of a request, that is used here. */
export interface GoneSignal {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: () => void): void
}

/** Lets one of the machine's workers decode; resolves, when its turn has come, with what ends the turn. */
export type TakeTurn = () => Promise<() => void>

interface Job {
  readonly account: number | null
  readonly source: PictureSource
  readonly drawing: Drawing
  readonly abandoned: AbortController
  readonly resolve: (drawn: Drawn) => void
  readonly reject: (error: unknown) => void
  timer: NodeJS.Timeout | undefined
}

// A decoder can die of something else than its picture, for example because the machine has no memory left.
const attempts = 2

/**
 * Draws pictures in the decoder of this worker, one at a time, with fair turns of the accounts (docs/security.md#pictures). A header comes
 * before all drawings, because an upload waits for it, and needs no turn of the machine, because it takes little memory.
 */
export class PictureQueue {
  /** How many pictures were drawn, were no pictures or beyond their budgets, and ended a decoder. */
  readonly counts = { drawn: 0, bad: 0, pixels: 0, memory: 0, time: 0, deadline: 0, abandoned: 0, died: 0 }
  /** How long each account used the decoder lately. */
  readonly use = new RecentUse()
  private readonly headers = new FairQueue<Job>(this.use)
  private readonly drawings = new FairQueue<Job>(this.use)
  private readonly decoder = new DecoderProcess()
  private running: Job | undefined
  private turn: 'none' | 'awaited' | (() => void) = 'none'
  private state: 'open' | 'draining' | 'stopped' = 'open'

  /** `times`: tests have shorter ones. */
  constructor(
    private readonly log: Log,
    private readonly takeTurn: TakeTurn = async () => () => undefined,
    private readonly times = { decodeMs: budgets.pictureMs.most, waitMs: budgets.pictureWaitMs.most },
  ) {}

  get waiting(): number {
    return this.headers.size + this.drawings.size
  }

  /** Process id of the decoder; undefined: none runs. */
  get decoderPid(): number | undefined {
    return this.decoder.pid
  }

  /**
   * Draws a picture when its turn has come.
   * @throws {ApiError} BAD_IMAGE for what the server does not decode; SERVER_NOT_READY; {DecoderFailure}; the error of the source
   */
  draw(source: PictureSource, drawing: Drawing): Promise<Drawn> {
    const { account, signal } = source
    if (this.state === 'stopped') return Promise.reject(notReady('The server stops.'))
    if (this.headers.sizeOf(account) + this.drawings.sizeOf(account) >= budgets.picturesWaiting.most)
      return Promise.reject(notReady('Too many of your pictures are waiting: try again.'))
    return new Promise((resolve, reject) => {
      const job: Job = { account, source, drawing, abandoned: new AbortController(), resolve, reject, timer: undefined }
      job.timer = setTimeout(() => this.refuse(job, tooManyWait()), source.waitMs ?? this.times.waitMs)
      this.queueOf(job).add(job)
      signal?.addEventListener('abort', () => this.abandon(job))
      if (signal?.aborted) this.abandon(job)
      this.makeRoom()
      this.pump()
    })
  }

  /** From now on pictures are drawn to their end: the signal of a request also says that the server stops. */
  drain(): void {
    if (this.state === 'open') this.state = 'draining'
  }

  /** Refuses what waits, and ends the decoder. */
  stop(): void {
    this.state = 'stopped'
    for (const queue of [this.headers, this.drawings])
      for (let job = queue.take(); job; job = queue.take()) this.reject(job, notReady('The server stops.'))
    this.decoder.end()
  }

  private queueOf({ drawing }: Job): FairQueue<Job> {
    return drawing.kind === 'header' ? this.headers : this.drawings
  }

  private abandon(job: Job): void {
    if (this.state !== 'open') return
    this.counts.abandoned++
    job.abandoned.abort()
    this.refuse(job, gone())
  }

  /** Takes a job out of its queue; a running one is not refused. */
  private refuse(job: Job, error: ApiError): void {
    if (this.queueOf(job).remove(job)) this.reject(job, error)
  }

  private reject(job: Job, error: unknown): void {
    clearTimeout(job.timer)
    job.reject(error)
  }

  /** Refuses files of forms that would come last while all of them together take too much memory. */
  private makeRoom(): void {
    for (;;) {
      const holding = this.drawings.inOrder().filter(job => heldBytes(job) > 0)
      const last = holding.at(-1)
      if (!last || holding.reduce((sum, job) => sum + heldBytes(job), 0) <= budgets.pictureBytesWaiting.most) return
      this.refuse(last, tooManyWait())
    }
  }

  private pump(): void {
    if (this.running) return
    // With the turn of the machine a drawing comes first, because another worker may wait for the turn.
    const drawing = typeof this.turn === 'function' ? this.drawings.take() : undefined
    // What waited for the turn may have left the queue.
    if (!drawing) this.endTurn()
    const job = drawing ?? this.headers.take()
    if (job) void this.run(job)
    if (!drawing && this.drawings.size > 0 && this.turn === 'none') this.awaitTurn()
  }

  private awaitTurn(): void {
    this.turn = 'awaited'
    void this.takeTurn().then(endTurn => {
      this.turn = endTurn
      this.pump()
    })
  }

  private endTurn(): void {
    if (typeof this.turn !== 'function') return
    this.turn()
    this.turn = 'none'
  }

  private async run(job: Job): Promise<void> {
    const begin = performance.now()
    this.running = job
    clearTimeout(job.timer)
    try {
      job.resolve(await this.drawn(job))
      this.counts.drawn++
    } catch (error) {
      job.reject(this.refusalOf(job, error))
    }
    this.use.add(job.account, performance.now() - begin)
    this.running = undefined
    if (job.drawing.kind !== 'header') this.endTurn()
    this.pump()
  }

  private async drawn({ source, drawing, abandoned }: Job): Promise<Drawn> {
    const bytes = typeof source.file === 'function' ? await source.file() : source.file
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.decoder.draw(bytes, drawing, this.times.decodeMs, abandoned.signal)
      } catch (error) {
        const hasDied = error instanceof DecoderEnded && error.reason === 'died'
        if (!hasDied || attempt === attempts || this.state === 'stopped') throw error
        this.log.warn({ reason: error.message }, 'the decoder of pictures died: another one tries once more')
      }
    }
  }

  /** The error for the caller of a job that was not drawn. */
  private refusalOf({ account }: Job, error: unknown): unknown {
    if (error instanceof NotDrawn) {
      this.counts[error.failure]++
      if (error.failure === 'bad') return badImage()
      if (error.failure === 'pixels') return badImage('The picture has too many pixels.')
      this.log.info({ account, reason: error.failure }, 'a picture needed too much to be decoded')
      return badImage(`The picture needs too much ${error.failure} to be decoded.`)
    }
    if (!(error instanceof DecoderEnded)) return error
    if (error.reason === 'abandoned') return gone()
    this.counts[error.reason]++
    this.log.warn({ account, reason: error.message }, 'a picture was not decoded')
    return new DecoderFailure()
  }
}

/** The decoder died of a picture, or took too long. The same picture may be decoded at another time. */
export class DecoderFailure extends ApiError {
  constructor() {
    super('SERVER_NOT_READY', 'The picture could not be decoded at present: try again.')
  }
}

export const badImage = (words = 'Could not decode image; did you upload an image file?') =>
  new ApiError('BAD_IMAGE', words)

const notReady = (words: string) => new ApiError('SERVER_NOT_READY', words)
const tooManyWait = () => notReady('Too many pictures are waiting: try again.')
const gone = () => notReady('The caller is gone.')

const heldBytes = ({ source: { file } }: Job): number => (typeof file === 'function' ? 0 : file.length)

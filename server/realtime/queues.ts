import { ApiError } from '../../shared/errors.js'
import { type CloseCode, closeCodes } from '../../shared/wire/close-codes.js'
import { emptyFrame } from './frames.js'
import type { Queue } from './queue.js'
import type { OptionsPool } from './shared-options.js'

/** Why a queue's reader, or the queue itself, ends here. */
export type Ending = 'replaced' | 'moved' | 'gone' | 'revoked' | 'tooSlow' | 'stopping'

export const badQueue = (queueId: string): ApiError =>
  new ApiError('BAD_EVENT_QUEUE_ID', `Bad event queue ID: ${queueId}`, { queue_id: queueId })

const endings: Record<Ending, { code: CloseCode; reason: string; error?: (queueId: string) => ApiError }> = {
  replaced: { code: closeCodes.replaced, reason: 'another connection reads this queue' },
  // The client comes back, to whichever worker.
  moved: { code: closeCodes.restarting, reason: 'another server goes on with this queue' },
  gone: { code: closeCodes.queueGone, reason: 'BAD_EVENT_QUEUE_ID', error: badQueue },
  revoked: {
    code: closeCodes.unauthenticated,
    reason: 'UNAUTHORIZED',
    error: () => new ApiError('UNAUTHORIZED', 'Your account or your key was revoked.'),
  },
  tooSlow: { code: closeCodes.tooSlow, reason: 'reads too slowly' },
  stopping: { code: closeCodes.restarting, reason: 'the server restarts' },
}

/** The queues that this worker owns. */
export class Queues {
  readonly byId = new Map<string, Queue>()
  readonly byUser = new Map<number, Queue[]>()
  /** Those that read all public channels. */
  readonly allPublic = new Set<Queue>()
  readonly #pool: OptionsPool
  readonly #now: () => number
  #dirty: Queue[] = []

  constructor(pool: OptionsPool, now: () => number) {
    this.#pool = pool
    this.#now = now
  }

  add(queue: Queue): void {
    this.byId.set(queue.id, queue)
    const own = this.byUser.get(queue.userId)
    if (own) own.push(queue)
    else this.byUser.set(queue.userId, [queue])
    if (queue.options.allPublicStreams) this.allPublic.add(queue)
  }

  /** Lets go of a queue here; what Redis holds of it stays. */
  remove(queue: Queue, ending: Ending): void {
    this.endReader(queue, ending)
    if (queue.state === 'gone') return
    queue.state = 'gone'
    this.byId.delete(queue.id)
    const rest = this.byUser.get(queue.userId)?.filter(other => other !== queue) ?? []
    if (rest.length > 0) this.byUser.set(queue.userId, rest)
    else this.byUser.delete(queue.userId)
    this.allPublic.delete(queue)
    this.#pool.release(queue.options)
  }

  /**
   * Ends whoever reads the queue; it is told in a later turn, since this may be the handler of another request. The idle
   * clock runs from the start of a poll, or from the end of a socket.
   */
  endReader(queue: Queue, ending: Ending): void {
    const { reader } = queue
    if (reader === null) return
    queue.reader = null
    const { code, reason, error } = endings[ending]
    if (reader.kind === 'socket') {
      queue.idleSince = this.#now()
      reader.isLive = false
      reader.frame = 0
      setImmediate(() => reader.consumer.close(code, reason))
    } else if (error) setImmediate(() => reader.reject(error(queue.id)))
    else setImmediate(() => reader.answer(emptyFrame()))
  }

  /** Something of it has to go to the log. */
  markDirty(queue: Queue): void {
    if (queue.isDirty) return
    queue.isDirty = true
    this.#dirty.push(queue)
  }

  /** The queues marked since the last call. */
  takeDirty(): Queue[] {
    const taken = this.#dirty
    this.#dirty = []
    for (const queue of taken) queue.isDirty = false
    return taken
  }
}

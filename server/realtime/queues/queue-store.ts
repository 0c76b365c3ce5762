import { logFailure } from '../../failures/log-failure.js'
import type { EngineDeps } from '../engine-deps.js'
import type { RestartDetection } from '../feed/index.js'
import type { Snapshot } from '../realtime.js'
import type { Queue } from './queue.js'
import type { Receivers } from './receivers.js'
import { encodeReferences } from './references.js'

/** The queues in Redis: their metadata, and each worker's list of the queues that it owns. */
export class QueueStore {
  constructor(
    private readonly deps: EngineDeps,
    private readonly restarts: RestartDetection,
    private readonly receivers: Pick<Receivers, 'joins'>,
  ) {}

  /** Stores a new queue; false if a queue with this id exists already. */
  async create(queue: Queue, references: readonly number[], upto: number): Promise<boolean> {
    const { redis, keys, worker } = this.deps
    const { options } = queue
    // I6: another worker needs only this metadata, the queue log and the feed to continue the queue.
    const meta = {
      user: queue.userId,
      ttl: options.secondsToLive,
      owner: worker,
      epoch: queue.epoch,
      upto,
      acked: queue.acked,
      issued: queue.issued,
      ...packFacts({ born: queue.born, snapshot: queue.shown?.text ?? null, options: options.packed }),
    }
    // The set first: an id without a queue is harmless, but a queue that is missing in the set would never be adopted.
    const [, process] = await Promise.all([
      redis.command('SADD', keys.queuesOf(worker), queue.id),
      this.callCreate(queue.id, meta, references),
      this.receivers.joins(queue),
    ])
    if (process === null) return false
    this.restarts.answered(queue.id, process as Buffer)
    return true
  }

  /**
   * Stores a queue that no worker owns, with all events after the entry `from`: the first worker that takes it over reads them from the feed.
   * No worker adopts it, so it expires if no consumer comes.
   */
  async createUnowned(
    id: string,
    {
      userId,
      options,
      secondsToLive,
      from,
    }: {
      readonly userId: number
      readonly options: string
      readonly secondsToLive: number
      readonly from: number
    },
  ): Promise<void> {
    const meta = {
      user: userId,
      ttl: secondsToLive,
      owner: '',
      epoch: 0,
      upto: from,
      acked: -1,
      issued: 0,
      ...packFacts({ born: from, snapshot: null, options }),
    }
    this.restarts.answered(id, (await this.callCreate(id, meta, [])) as Buffer)
  }

  private callCreate(
    id: string,
    meta: Readonly<Record<string, number | string | Uint8Array>> & { readonly ttl: number },
    references: readonly number[],
  ): Promise<unknown> {
    const { functions, keys } = this.deps
    return functions.call(
      'create',
      [keys.meta(id), keys.log(id)],
      [meta.ttl, references.at(-1) ?? '', encodeReferences(references), ...Object.entries(meta).flat()],
    )
  }

  /**
   * Deletes an ended queue of this worker, unless another worker has taken it over. If Redis is unavailable, the keys stay, as
   * consistent as after a crash, until they expire.
   */
  discard(queue: Queue): void {
    this.remove(queue).catch(error => {
      logFailure(this.deps, error, 'a queue that has ended is still in Redis', { queue: queue.id })
    })
  }

  private async remove(queue: Queue): Promise<void> {
    const { keys, functions } = this.deps
    await functions.call('drop', [keys.meta(queue.id), keys.log(queue.id)], ['epoch', queue.epoch])
    await this.forget([queue.id])
  }

  /** Deletes a user's queue on any worker; returns the owner, or null if the user has no such queue. */
  async removeOf(userId: number, queueId: string): Promise<string | null> {
    const { keys, functions } = this.deps
    const owner = await functions.call('drop', [keys.meta(queueId), keys.log(queueId)], ['user', userId])
    return owner === null ? null : String(owner)
  }

  /** Adds queues to the set of this worker's queues, from which another worker adopts them if this worker dies. */
  async remember(queueIds: readonly string[]): Promise<void> {
    const { redis, keys, worker } = this.deps
    await redis.command('SADD', keys.queuesOf(worker), ...queueIds)
  }

  async forget(queueIds: readonly string[], owner = this.deps.worker): Promise<void> {
    const { redis, keys } = this.deps
    await redis.command('SREM', keys.queuesOf(owner), ...queueIds)
  }
}

/** The properties of a queue that never change, except its user. */
export interface QueueFacts {
  /** Newest entry id when the queue was created. */
  readonly born: number
  /** The snapshot that the register answer showed. */
  readonly snapshot: Snapshot | null
  /** The options as `packOptions` packs them. */
  readonly options: string
}

// Redis stores a hash in the compact listpack form while no value has more than 64 bytes and it has few fields (the defaults of
// hash-max-listpack-*); otherwise a queue takes three times the memory. Only a queue with a long narrow exceeds these limits.
const fieldLength = 64
const maxFields = 64

/** Packs into the fields f0, f1 and so on, of at most 64 bytes each; a text that needs more than 64 fields goes into f0 as a whole. */
export function packFacts({ born, snapshot, options }: QueueFacts): Record<string, Uint8Array> {
  const bytes = Buffer.from(`${born} ${snapshot ?? ''} ${options}`)
  const length = bytes.length > fieldLength * maxFields ? bytes.length : fieldLength
  const fields: Record<string, Uint8Array> = {}
  for (let at = 0; at < bytes.length; at += length) fields[`f${at / length}`] = bytes.subarray(at, at + length)
  return fields
}

/** Unpacks the concatenated fields. */
export function unpackFacts(text: string): QueueFacts {
  const first = text.indexOf(' ')
  const second = text.indexOf(' ', first + 1)
  return {
    born: Number(text.slice(0, first)),
    snapshot: text.slice(first + 1, second) || null,
    options: text.slice(second + 1),
  }
}

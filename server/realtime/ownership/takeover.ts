import type { EngineDeps } from '../engine-deps.js'
import type { StreamEntry } from '../feed/index.js'
import { decodeReferences, groupsOf, type QueueFacts, type QueueStore, unpackFacts } from '../queues/index.js'

/** A queue that this worker has taken over, with the state that its former owner stored in Redis. */
export interface TakenQueue {
  readonly formerOwner: string
  readonly userId: number
  readonly epoch: number
  /** The queue log is complete up to this entry id. */
  readonly from: number
  readonly acked: number
  readonly issued: number
  readonly facts: QueueFacts
  readonly references: number[]
}

/** The reason of a takeover: a claim for a consumer of the user, or the adoption of queues of a dead owner. */
export type Taker =
  | { readonly by: 'consumer'; readonly userIds: readonly number[] }
  | { readonly by: 'adopted'; readonly owner: string }

/** The takeover in Redis: changes the owner of queues and raises their epochs. */
export class Takeover {
  private taking: Promise<unknown> = Promise.resolve()

  constructor(
    private readonly deps: EngineDeps,
    private readonly store: QueueStore,
    private readonly isOurs: (queueId: string) => boolean,
  ) {}

  /**
   * Takes queues over, each in one atomic step; null for a queue that does not exist or does not match the taker. Calls run one at
   * a time: one call must not remove a queue id from this worker's list after another call has taken that queue over.
   */
  take(queueIds: readonly string[], taker: Taker): Promise<(TakenQueue | null)[]> {
    const taken = this.taking.then(() => this._take(queueIds, taker))
    // The caller gets the error; the next call runs in any case.
    this.taking = taken.catch(() => {})
    return taken
  }

  private async _take(queueIds: readonly string[], taker: Taker): Promise<(TakenQueue | null)[]> {
    const { redis, keys, functions, worker } = this.deps
    // I1: the checkpoints are read before the takeover. An old checkpoint only makes the backfill read more of the feed; one from
    // after the takeover could cover references that are missing in the log.
    const checkpoints = (await redis.command('HGETALL', keys.checkpoints)) as Buffer[]
    // The set first: an id without a queue is harmless, but a queue that is missing in the set would never be adopted.
    await this.store.remember(queueIds)
    const rows = queueIds.map((id, i) => ({ id, agrees: taker.by === 'consumer' ? taker.userIds[i] : taker.owner }))
    const found = new Map<string, TakenQueue>()
    await Promise.all(
      groupsOf(this.deps, rows, ({ id }) => id).map(async some => {
        const reply = await functions.call(
          'take',
          some.flatMap(({ id }) => [keys.meta(id), keys.log(id)]),
          [
            worker,
            taker.by,
            taker.by === 'consumer' ? 'user' : 'owner',
            checkpoints.length / 2,
            ...checkpoints,
            ...some.map(({ agrees = '' }) => agrees),
          ],
        )
        some.forEach(({ id }, i) => {
          const one = (reply as (TakenReply | null)[])[i]
          if (one) found.set(id, takenQueue(one))
        })
      }),
    )
    const taken = queueIds.map(id => found.get(id) ?? null)
    const strangers = queueIds.filter((id, i) => taken[i] === null && !this.isOurs(id))
    if (strangers.length > 0) await this.store.forget(strangers)
    return taken
  }
}

type TakenReply = [
  owner: Buffer,
  user: Buffer,
  epoch: number,
  from: Buffer,
  acked: Buffer,
  issued: Buffer,
  facts: Buffer,
  log: StreamEntry[],
]

const takenQueue = ([owner, user, epoch, from, acked, issued, facts, log]: TakenReply): TakenQueue => ({
  formerOwner: String(owner),
  userId: Number(user),
  epoch,
  from: Number(from),
  acked: Number(acked),
  issued: Number(issued),
  facts: unpackFacts(String(facts)),
  references: log.flatMap(decodeReferences),
})

import type { StreamEntry } from './feed.js'
import type { Parts } from './parts.js'
import { type QueueFacts, unpackFacts } from './queue-facts.js'
import type { QueueStore } from './queue-store.js'
import { decodeRefs } from './refs.js'
import { groupsOf } from './slot-groups.js'

/** A queue as its former owner left it, now ours. */
export interface TakenQueue {
  readonly formerOwner: string
  readonly userId: number
  readonly epoch: number
  /** Its log is complete up to this feed id. */
  readonly from: number
  readonly acked: number
  readonly issued: number
  readonly facts: QueueFacts
  readonly refs: number[]
}

/** Who takes queues over: a reader of that user has come for it, or nobody serves the queues of that owner. */
export type Taker =
  | { readonly by: 'reader'; readonly userIds: readonly number[] }
  | { readonly by: 'adopted'; readonly owner: string }

/** Makes queues of others this worker's, in Redis. */
export class Takeover {
  readonly #parts: Parts
  readonly #store: QueueStore
  readonly #isOurs: (queueId: string) => boolean
  #taking: Promise<unknown> = Promise.resolve()

  constructor(parts: Parts, store: QueueStore, isOurs: (queueId: string) => boolean) {
    this.#parts = parts
    this.#store = store
    this.#isOurs = isOurs
  }

  /**
   * Makes queues ours, each in one atomic step; null in place of those that are not there or not the taker's. One call at a
   * time: an id that turns out not to be ours must not be struck off our list after it became ours.
   */
  take(queueIds: readonly string[], taker: Taker): Promise<(TakenQueue | null)[]> {
    const taken = this.#taking.then(() => this.#take(queueIds, taker))
    // The caller is told; the next one's turn comes all the same.
    this.#taking = taken.catch(() => {})
    return taken
  }

  async #take(queueIds: readonly string[], taker: Taker): Promise<(TakenQueue | null)[]> {
    const { redis, keys, functions, worker } = this.#parts
    // I1: a checkpoint that is older than the takeover never claims too much.
    // Read before the queues are taken: what a checkpoint promises by then, the logs hold.
    const checkpoints = (await redis.command('HGETALL', keys.checkpoints)) as Buffer[]
    // First the set: an id without a queue does no harm, a queue that nobody adopts does.
    await this.#store.remember(queueIds)
    const rows = queueIds.map((id, i) => ({ id, agrees: taker.by === 'reader' ? taker.userIds[i] : taker.owner }))
    const found = new Map<string, TakenQueue>()
    await Promise.all(
      groupsOf(this.#parts, rows, ({ id }) => id).map(async some => {
        const reply = await functions.call(
          'take',
          some.flatMap(({ id }) => [keys.meta(id), keys.log(id)]),
          [
            worker,
            taker.by,
            taker.by === 'reader' ? 'user' : 'owner',
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
    const strangers = queueIds.filter((id, i) => taken[i] === null && !this.#isOurs(id))
    if (strangers.length > 0) await this.#store.forget(strangers)
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
  refs: log.flatMap(decodeRefs),
})

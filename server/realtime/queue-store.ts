import type { StreamEntry } from './feed.js'
import type { Parts } from './parts.js'
import type { Queue } from './queue.js'
import { packFacts, type QueueFacts, unpackFacts } from './queue-facts.js'
import type { QueueOptions } from './realtime.js'
import { decodeRefs, encodeRefs } from './refs.js'

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

/**
 * `lost`: Redis has no such queue. `replaced`: another worker's reader has it now; `moved`: it was adopted. `shaken`: nothing
 * was written, since another process of Redis answers than before, which may lack the end of the log.
 */
export type AppendOutcome = 'ok' | 'lost' | 'replaced' | 'moved' | 'shaken'

export interface AppendRow {
  readonly queue: Queue
  readonly refs: readonly number[]
  readonly upto: number
  /** The references are all that Redis may have lost. */
  readonly again: boolean
}

const outcomes = new Map<number, AppendOutcome>([
  [1, 'ok'],
  [-1, 'replaced'],
  [-2, 'moved'],
  [-3, 'shaken'],
])
// What a queue's keys outlive its idle time by: its owner collects it long before, Redis only when nobody does.
const slackSeconds = 300
// A chunk blocks Redis for a few milliseconds at most.
const chunk = 250
const logPage = 64

export function secondsToLive({ idleSeconds }: Pick<QueueOptions, 'idleSeconds'>): number {
  return Math.ceil(idleSeconds) + slackSeconds
}

/** Queues in Redis. */
export class QueueStore {
  /** Some queues lie on another process of Redis than before (a restart, a failover): it may lack what was written last. */
  onNewProcess: () => void = () => {}
  readonly #parts: Parts
  /** Which process of Redis answered last for a group of queues. */
  readonly #processes = new Map<string, string>()
  readonly #isOurs: (queueId: string) => boolean
  #taking: Promise<unknown> = Promise.resolve()

  constructor(parts: Parts, isOurs: (queueId: string) => boolean) {
    this.#parts = parts
    this.#isOurs = isOurs
  }

  /** False when there is one with this id already. */
  async create(queue: Queue, refs: readonly number[], upto: number): Promise<boolean> {
    const { functions, redis, keys, worker } = this.#parts
    const { options } = queue
    const meta = {
      user: queue.userId,
      ttl: secondsToLive(options),
      owner: worker,
      epoch: queue.epoch,
      upto,
      acked: queue.acked,
      issued: queue.issued,
      idle: idleOf(queue),
      ...packFacts({ born: queue.born, snapshot: queue.shown?.text ?? null, options: options.packed }),
    }
    // First the set: an id without a queue does no harm, a queue that nobody adopts does.
    const [, process] = await Promise.all([
      redis.command('SADD', keys.queuesOf(worker), queue.id),
      functions.call(
        'create',
        [keys.meta(queue.id), keys.log(queue.id)],
        [secondsToLive(queue.options), refs.at(-1) ?? '', encodeRefs(refs), ...Object.entries(meta).flat()],
      ),
    ])
    if (process === null) return false
    this.#answered(queue.id, process as Buffer)
    return true
  }

  /** Appends to many logs; the outcome of each. On a cluster a call for each group of queues: they lie on different nodes. */
  async append(rows: readonly AppendRow[]): Promise<Map<Queue, AppendOutcome>> {
    const found = new Map<Queue, AppendOutcome>()
    await Promise.all(
      this.#groups(rows, ({ queue }) => queue.id).map(async group => {
        for (let i = 0; i < group.length; i += chunk) await this.#appendChunk(group.slice(i, i + chunk), found)
      }),
    )
    return found
  }

  async #appendChunk(rows: readonly AppendRow[], found: Map<Queue, AppendOutcome>): Promise<void> {
    const { functions, keys, worker } = this.#parts
    const reply = await functions.call(
      'log-append',
      rows.flatMap(({ queue }) => [keys.meta(queue.id), keys.log(queue.id)]),
      [
        worker,
        ...rows.flatMap(({ queue, refs, upto, again }) => [
          queue.epoch,
          secondsToLive(queue.options),
          refs.at(-1) ?? '',
          encodeRefs(refs),
          upto,
          queue.acked,
          queue.issued,
          idleOf(queue),
          again ? 1 : '',
        ]),
      ],
    )
    const [process, ...codes] = reply as [Buffer, ...number[]]
    if (rows[0]) this.#answered(rows[0].queue.id, process)
    for (const [i, { queue }] of rows.entries()) found.set(queue, outcomes.get(codes[i] as number) ?? 'lost')
  }

  /** What one call may touch: all, or on a cluster what lies in one slot. */
  #groups<T>(rows: readonly T[], idOf: (row: T) => string): T[][] {
    const { redis, keys } = this.#parts
    const groups = new Map<string, T[]>()
    for (const row of rows) {
      const name = redis.isCluster ? keys.groupOf(idOf(row)) : ''
      const group = groups.get(name)
      if (group) group.push(row)
      else groups.set(name, [row])
    }
    return [...groups.values()]
  }

  #answered(queueId: string, process: Buffer): void {
    const { redis, keys } = this.#parts
    const group = redis.isCluster ? keys.groupOf(queueId) : ''
    const name = process.toString()
    const before = this.#processes.get(group)
    this.#processes.set(group, name)
    if (before !== undefined && before !== name) this.onNewProcess()
  }

  /**
   * Makes queues ours, each in one atomic step; null in place of those that are not there or not the taker's. One call at a
   * time: an id that turns out not to be ours must not be struck off our list after it became ours.
   */
  take(queueIds: readonly string[], taker: Taker): Promise<(TakenQueue | null)[]> {
    const taken = this.#taking.then(() => this.#take(queueIds, taker))
    this.#taking = taken.catch(() => {})
    return taken
  }

  async #take(queueIds: readonly string[], taker: Taker): Promise<(TakenQueue | null)[]> {
    const { redis, keys, worker } = this.#parts
    // Read before the queues are taken: what a checkpoint promises by then, the logs hold.
    const checkpoints = (await redis.command('HGETALL', keys.checkpoints)) as Buffer[]
    // First the set: an id without a queue does no harm, a queue that nobody adopts does.
    await this.remember(queueIds)
    const rows = queueIds.map((id, i) => ({ id, agrees: taker.by === 'reader' ? taker.userIds[i] : taker.owner }))
    const found = new Map<string, TakenQueue>()
    await Promise.all(
      this.#groups(rows, ({ id }) => id).map(async some => {
        const reply = await this.#parts.functions.call(
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
    if (strangers.length > 0) await this.forget(strangers)
    return taken
  }

  /** Some references of a queue's log after `after` up to `upto`; none only when there are none. */
  async readLog(queueId: string, after: number, upto: number): Promise<number[]> {
    const { redis, keys } = this.#parts
    // An entry's id is its last reference: entries after `after` hold all references after it.
    const reply = await redis.command('XRANGE', keys.log(queueId), `(${Math.max(after, 0)}-0`, '+', 'COUNT', logPage)
    const ids = (reply as StreamEntry[]).flatMap(decodeRefs).filter(id => id > after && id <= upto)
    // Two owners may have logged the same.
    return [...new Set(ids)].sort((a, b) => a - b)
  }

  /** Deletes a queue that is ours, unless somebody has taken it over. */
  async remove(queue: Queue): Promise<void> {
    const { keys, functions } = this.#parts
    await functions.call('drop', [keys.meta(queue.id), keys.log(queue.id)], ['epoch', queue.epoch])
    await this.forget([queue.id])
  }

  /** Deletes a user's queue, whoever owns it; its owner, or null when there is none. */
  async removeOf(userId: number, queueId: string): Promise<string | null> {
    const { keys, functions } = this.#parts
    const owner = await functions.call('drop', [keys.meta(queueId), keys.log(queueId)], ['user', userId])
    return owner === null ? null : String(owner)
  }

  /** They are this worker's from now on: whoever finds it dead adopts them. */
  async remember(queueIds: readonly string[]): Promise<void> {
    const { redis, keys, worker } = this.#parts
    await redis.command('SADD', keys.queuesOf(worker), ...queueIds)
  }

  async forget(queueIds: readonly string[], owner = this.#parts.worker): Promise<void> {
    const { redis, keys } = this.#parts
    await redis.command('SREM', keys.queuesOf(owner), ...queueIds)
  }
}

function idleOf(queue: Queue): number | '' {
  return queue.reader === null ? queue.idleSince : ''
}

type TakenReply = [
  owner: Buffer,
  user: Buffer,
  epoch: number,
  from: Buffer,
  acked: Buffer,
  issued: Buffer,
  idle: Buffer,
  facts: Buffer,
  log: StreamEntry[],
]

const takenQueue = ([owner, user, epoch, from, acked, issued, , facts, log]: TakenReply): TakenQueue => ({
  formerOwner: String(owner),
  userId: Number(user),
  epoch,
  from: Number(from),
  acked: Number(acked),
  issued: Number(issued),
  facts: unpackFacts(String(facts)),
  refs: log.flatMap(decodeRefs),
})

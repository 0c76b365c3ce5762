import type { StreamEntry } from './feed.js'
import type { Parts } from './parts.js'
import type { Queue } from './queue.js'
import type { QueueOptions, Snapshot } from './realtime.js'
import { decodeRefs, encodeRefs } from './refs.js'

/** What Redis knows of a queue, less its log. */
export interface QueueMeta {
  readonly options: QueueOptions
  readonly snapshot: Snapshot | null
  readonly owner: string
  readonly epoch: string
  /** The log is complete up to this feed id; up to the owner's checkpoint, where that is higher and the queue is settled. */
  readonly upto: number
  readonly isSettled: boolean
  /** Feed id behind which it began. */
  readonly born: number
}

export interface ClaimedLog {
  readonly epoch: number
  readonly acked: number
  readonly issued: number
  /** 0: somebody was reading. */
  readonly idle: number
  readonly refs: number[]
}

/** `lost`: Redis has no such queue. `replaced`: another worker's reader has it now; `moved`: it was adopted. */
export type AppendOutcome = 'ok' | 'lost' | 'replaced' | 'moved'

export interface AppendRow {
  readonly queue: Queue
  readonly refs: readonly number[]
  readonly upto: number
}

// What a queue's keys outlive its idle time by: its owner collects it long before, Redis only when nobody does.
const slackSeconds = 300
// A chunk blocks Redis for a few milliseconds at most.
const chunk = 250
const logPage = 64

export function secondsToLive(options: QueueOptions): number {
  return Math.ceil(options.idleSeconds) + slackSeconds
}

/** Queues in Redis. */
export class QueueStore {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** False when there is one with this id already. */
  async create(queue: Queue, refs: readonly number[], upto: number): Promise<boolean> {
    const { functions, redis, keys, worker } = this.#parts
    const meta = {
      user: queue.userId,
      options: JSON.stringify(queue.options),
      snapshot: queue.shown?.text ?? '',
      owner: worker,
      epoch: queue.epoch,
      upto,
      acked: queue.acked,
      issued: queue.issued,
      idle: idleOf(queue),
      settled: 1,
      born: queue.born,
    }
    // First the set: an id without a queue does no harm, a queue that nobody adopts does.
    const [, isNew] = await Promise.all([
      redis.command('SADD', keys.queuesOf(worker), queue.id),
      functions.call(
        'create',
        [keys.meta(queue.id), keys.log(queue.id)],
        [secondsToLive(queue.options), refs.at(-1) ?? '', encodeRefs(refs), ...Object.entries(meta).flat()],
      ),
    ])
    return isNew === 1
  }

  /** Appends to many logs; the outcome of each, in order. On a cluster one by one: the queues lie on different nodes. */
  async append(rows: readonly AppendRow[]): Promise<AppendOutcome[]> {
    const size = this.#parts.redis.isCluster ? 1 : chunk
    const chunks: AppendRow[][] = []
    for (let i = 0; i < rows.length; i += size) chunks.push(rows.slice(i, i + size))
    const outcomes: AppendOutcome[] = []
    if (size === 1) return (await Promise.all(chunks.map(rows => this.#appendChunk(rows)))).flat()
    for (const rows of chunks) outcomes.push(...(await this.#appendChunk(rows)))
    return outcomes
  }

  async #appendChunk(rows: readonly AppendRow[]): Promise<AppendOutcome[]> {
    const { functions, keys } = this.#parts
    const reply = await functions.call(
      'log-append',
      rows.flatMap(({ queue }) => [keys.meta(queue.id), keys.log(queue.id)]),
      rows.flatMap(({ queue, refs, upto }) => [
        queue.epoch,
        secondsToLive(queue.options),
        refs.at(-1) ?? '',
        encodeRefs(refs),
        upto,
        queue.acked,
        queue.issued,
        idleOf(queue),
      ]),
    )
    return (reply as number[]).map(code =>
      code === 1 ? 'ok' : code === 0 ? 'lost' : code === -1 ? 'replaced' : 'moved',
    )
  }

  async meta(queueId: string): Promise<QueueMeta | null> {
    const { redis, keys } = this.#parts
    const reply = (await redis.command('HGETALL', keys.meta(queueId))) as Buffer[]
    const fields = new Map<string, string>()
    for (let i = 0; i + 1 < reply.length; i += 2) fields.set(String(reply[i]), String(reply[i + 1]))
    const options = fields.get('options')
    if (!options) return null
    return {
      options: JSON.parse(options) as QueueOptions,
      snapshot: fields.get('snapshot') || null,
      owner: fields.get('owner') ?? '',
      epoch: fields.get('epoch') ?? '',
      upto: Number(fields.get('upto')),
      isSettled: fields.get('settled') === '1',
      born: Number(fields.get('born')),
    }
  }

  /** Null when its epoch is no longer that of `meta`. */
  async claim(queueId: string, meta: QueueMeta, upto: number, by: 'reader' | 'adopted'): Promise<ClaimedLog | null> {
    const { functions, keys, worker } = this.#parts
    const reply = await functions.call(
      'claim',
      [keys.meta(queueId), keys.log(queueId)],
      [meta.epoch, worker, upto, by, secondsToLive(meta.options)],
    )
    if (reply === null) return null
    const [epoch, acked, issued, idle, log] = reply as [number, Buffer, Buffer, Buffer, StreamEntry[]]
    return {
      epoch,
      acked: Number(acked),
      issued: Number(issued),
      idle: Number(idle),
      refs: log.flatMap(decodeRefs),
    }
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

  /** They are this worker's from now on: whoever finds it dead adopts them. Before they are claimed. */
  async remember(queueIds: readonly string[]): Promise<void> {
    const { redis, keys, worker } = this.#parts
    await redis.command('SADD', keys.queuesOf(worker), ...queueIds)
  }

  async forget(queueIds: readonly string[]): Promise<void> {
    const { redis, keys, worker } = this.#parts
    await redis.command('SREM', keys.queuesOf(worker), ...queueIds)
  }
}

function idleOf(queue: Queue): number | '' {
  return queue.reader === null ? queue.idleSince : ''
}

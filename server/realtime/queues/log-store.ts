import type { EngineDeps } from '../engine-deps.js'
import type { RestartDetection, StreamEntry } from '../feed/index.js'
import type { Queue } from './queue.js'
import { decodeReferences, encodeReferences } from './references.js'
import { groupsOf } from './slot-groups.js'

/**
 * `lost`: Redis has no such queue. `replaced`: another worker took it over for a consumer. `moved`: another worker adopted it.
 * `shaken`: nothing was written, because Redis has restarted or failed over and may lack the end of the log.
 */
export type AppendOutcome = 'ok' | 'lost' | 'replaced' | 'moved' | 'shaken'

export interface AppendRow {
  readonly queue: Queue
  readonly references: readonly number[]
  readonly upto: number
  /** The row repeats all references that Redis may have lost. */
  readonly again: boolean
}

const outcomes: ReadonlyMap<number, AppendOutcome> = new Map([
  [1, 'ok'],
  [-1, 'replaced'],
  [-2, 'moved'],
  [-3, 'shaken'],
])
// Queues per call, so that one call blocks Redis for a few milliseconds at most.
const chunk = 250
// Log entries per read. A log entry holds the references of one write of the queue log: one, or thousands.
const logPage = 64
const enough = 256

/** Reads and appends to queue logs in Redis. */
export class LogStore {
  constructor(
    private readonly deps: EngineDeps,
    private readonly restarts: RestartDetection,
  ) {}

  /**
   * Appends to the logs of many queues and returns the outcome of each. On a Redis cluster it makes separate calls for each group
   * of queues, because the groups are on different nodes.
   */
  async append(rows: readonly AppendRow[]): Promise<Map<Queue, AppendOutcome>> {
    const found = new Map<Queue, AppendOutcome>()
    await Promise.all(
      groupsOf(this.deps, rows, ({ queue }) => queue.id).map(async group => {
        for (let i = 0; i < group.length; i += chunk) await this.appendChunk(group.slice(i, i + chunk), found)
      }),
    )
    return found
  }

  private async appendChunk(rows: readonly AppendRow[], found: Map<Queue, AppendOutcome>): Promise<void> {
    const { functions, keys, worker } = this.deps
    const reply = await functions.call(
      'log-append',
      rows.flatMap(({ queue }) => [keys.meta(queue.id), keys.log(queue.id)]),
      [
        worker,
        ...rows.flatMap(({ queue, references, upto, again }) => [
          queue.epoch,
          queue.options.secondsToLive,
          references.at(-1) ?? '',
          encodeReferences(references),
          upto,
          queue.acked,
          queue.issued,
          again ? 1 : '',
        ]),
      ],
    )
    const [process, ...codes] = reply as [Buffer, ...number[]]
    if (rows[0]) this.restarts.answered(rows[0].queue.id, process)
    for (const [i, { queue }] of rows.entries()) found.set(queue, outcomes.get(codes[i] as number) ?? 'lost')
  }

  /** The first references of a queue log after `after` up to `upto`, in order; empty only if there are none. */
  async read(queueId: string, after: number, upto: number): Promise<number[]> {
    // Read one log entry first: if it holds thousands of references, further log entries would be read again for each page.
    const first = await this.readEntries(queueId, after, upto, 1)
    return first.length >= enough ? first : await this.readEntries(queueId, after, upto, logPage)
  }

  private async readEntries(queueId: string, after: number, upto: number, count: number): Promise<number[]> {
    const { redis, keys } = this.deps
    // A log entry's id is its last reference, so the log entries after `after` hold all references after `after`.
    const reply = await redis.command('XRANGE', keys.log(queueId), `(${Math.max(after, 0)}-0`, '+', 'COUNT', count)
    const ids = (reply as StreamEntry[]).flatMap(decodeReferences).filter(id => id > after && id <= upto)
    // Two owners may have logged the same references.
    return [...new Set(ids)].sort((a, b) => a - b)
  }
}

import { logFailure } from '../../failures/log-failure.js'
import type { EngineDeps } from '../engine-deps.js'
import type { Queues } from '../queues/index.js'
import type { DirectoryRecall } from './directory-recall.js'
import { reportsOf } from './queue-descriptions.js'

/**
 * A message on a worker's Pub/Sub channel: queues that other workers took over, with their new epochs; a queue that was deleted;
 * a request to send descriptions of its queues to the channel named by `asker`; a request of a worker to give up the directory lease, or
 * to refuse what some users had, and the answer of a worker to such a request.
 */
export interface WorkerMessage {
  readonly taken?: readonly (readonly [queueId: string, epoch: number])[]
  readonly dropped?: string
  readonly asker?: string
  readonly recall?: readonly [asker: string, id: number]
  readonly revoke?: readonly [asker: string, id: number, userIds: readonly number[]]
  readonly recalled?: readonly [worker: string, id: number]
}

/**
 * The messages between workers. A lost message is harmless: each worker finds a lost queue at its next write to the log, a recall waits
 * until the leases have ended, and the event of a revocation reaches each worker.
 */
export class WorkerMessages {
  constructor(
    private readonly deps: EngineDeps,
    private readonly queues: Queues,
    private readonly recall: DirectoryRecall,
  ) {}

  async send(worker: string, message: WorkerMessage): Promise<void> {
    const { redis, keys } = this.deps
    await redis.command('PUBLISH', keys.channel(worker), JSON.stringify(message))
  }

  receive(message: Buffer): void {
    const { taken = [], dropped = '', asker, ...rest } = JSON.parse(message.toString()) as WorkerMessage
    for (const [id, epoch] of taken) {
      const queue = this.queues.byId.get(id)
      if (queue && queue.epoch < epoch) this.queues.remove(queue, 'replaced')
    }
    const queue = this.queues.byId.get(dropped)
    if (queue) this.queues.remove(queue, 'gone')
    if (asker !== undefined) this.report(asker)
    const { recall, revoke, recalled } = rest
    if (recalled) this.recall.answered(recalled)
    if (recall) this.obey(this.recall.give(recall))
    if (revoke) this.obey(this.recall.obey(revoke))
  }

  private obey(answer: Promise<void>): void {
    answer.catch(error => logFailure(this.deps, error, 'the worker that changes the directory got no answer'))
  }

  private report(asker: string): void {
    const { redis, keys, worker, clock } = this.deps
    for (const report of reportsOf(worker, [...this.queues.byId.values()], clock.now())) {
      redis
        .command('PUBLISH', keys.channel(asker), JSON.stringify(report))
        .catch(error => logFailure(this.deps, error, 'the worker that asked for the queues got no answer'))
    }
  }
}

import { logFailure } from '../../failures/log-failure.js'
import type { EngineDeps } from '../engine-deps.js'
import { badQueue, type QueueStore, type Queues } from '../queues/index.js'
import type { WorkerMessages } from './worker-messages.js'

/**
 * Deletes a user's queue, whichever worker owns it.
 * @throws {ApiError} BAD_EVENT_QUEUE_ID if the user has no such queue.
 */
export async function deleteQueue(
  queueId: string,
  userId: number,
  {
    deps,
    queues,
    store,
    messages,
  }: {
    readonly deps: EngineDeps
    readonly queues: Queues
    readonly store: QueueStore
    readonly messages: WorkerMessages
  },
): Promise<void> {
  const own = queues.byId.get(queueId)
  const owner = await store.removeOf(userId, queueId)
  if (owner === null) throw badQueue(queueId)
  if (own?.userId === userId) queues.remove(own, 'gone')
  if (owner === deps.worker) await store.forget([queueId])
  else
    messages
      .send(owner, { dropped: queueId })
      // A lost notification is harmless: the owner finds the queue deleted when it next writes the queue log.
      .catch(error => logFailure(deps, error, 'the owner of a deleted queue was not notified', { queue: queueId }))
}

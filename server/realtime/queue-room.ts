import { ApiError } from '../../shared/errors.js'
import type { Queues } from './queues.js'

// Queues that nobody reads are looked for about once a minute.
const waitSeconds = 60

/** @throws {ApiError} RATE_LIMIT_HIT when the user has as many queues at this worker as it may have; 0: no limit. */
export function requireQueueRoom(queues: Pick<Queues, 'firstOf'>, userId: number, most: number): void {
  if (most === 0) return
  let count = 0
  for (let queue = queues.firstOf(userId); queue !== null; queue = queue.next) count++
  if (count < most) return
  throw new ApiError(
    'RATE_LIMIT_HIT',
    'You have too many event queues. Delete some, or wait until unused ones are collected.',
    {
      'retry-after': waitSeconds,
    },
  )
}

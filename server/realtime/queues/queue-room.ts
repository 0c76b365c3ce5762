import { ApiError } from '../../../shared/errors.js'
import type { Queues } from './queues.js'

// The Retry-After value: a queue of this user may be evicted by then.
const waitSeconds = 60

/** @throws {ApiError} RATE_LIMIT_HIT if the user has `most` queues on this worker; `most` 0: no limit. */
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

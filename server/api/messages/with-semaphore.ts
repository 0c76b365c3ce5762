import { ApiError } from '../../../shared/errors.js'
import { Semaphore } from '../../concurrency/semaphore.js'
import { budgets } from '../../config/budgets.js'
import type { Ctx } from '../../ctx.js'

const mostWaiting = 100

const kinds = {
  /** An answer that may occupy some ten megabytes of memory until it is sent. */
  answerOfMany: {
    atOnce: budgets.answersOfMany.most,
    refusal: 'Too many long lists of messages are asked for just now: try again.',
  },
  /** A search, which may take seconds in the database; `Ctx.searching` has one connection for each. */
  search: { atOnce: budgets.searchesAtOnce.most, refusal: 'Too many searches are under way: try again.' },
} as const

// Semaphores by directory, that is, by worker; an entry is collected with its directory.
const semaphoresOf = new WeakMap<object, Record<keyof typeof kinds, Semaphore>>()

/**
 * Runs the work under the semaphore of its kind, whose size is the kind's budget in this worker.
 * @throws {ApiError} SERVER_NOT_READY when too many pieces of work are waiting.
 */
export async function withSemaphore<T>(
  { directory }: Ctx,
  kind: keyof typeof kinds,
  work: () => Promise<T>,
): Promise<T> {
  const semaphores = semaphoresOf.get(directory) ?? {
    answerOfMany: new Semaphore(kinds.answerOfMany.atOnce, mostWaiting),
    search: new Semaphore(kinds.search.atOnce, mostWaiting),
  }
  semaphoresOf.set(directory, semaphores)
  const result = semaphores[kind].tryRun(work)
  if (!result) throw new ApiError('SERVER_NOT_READY', kinds[kind].refusal)
  return await result
}

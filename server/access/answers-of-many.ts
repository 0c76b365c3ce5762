import { ApiError } from '../../shared/errors.js'
import { budgets } from '../budgets.js'
import type { Ctx } from '../ctx.js'
import { Turns } from './turns.js'

const mostWaiting = 100

// Not state: what is under way in one server, gone with it.
const turnsOf = new WeakMap<object, Turns>()

/**
 * Makes an answer that may take some ten megabytes of memory until it is sent, while so many others at most are made.
 * @throws {ApiError} SERVER_NOT_READY when too many are waiting.
 */
export async function answerOfMany<T>({ directory }: Ctx, work: () => Promise<T>): Promise<T> {
  const turns = turnsOf.get(directory) ?? new Turns(budgets.answersOfMany.most, mostWaiting)
  turnsOf.set(directory, turns)
  const answer = turns.take(work)
  if (!answer)
    throw new ApiError('SERVER_NOT_READY', 'Too many long lists of messages are asked for just now: try again.')
  return await answer
}

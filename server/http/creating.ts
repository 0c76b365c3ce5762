import { createHash } from 'node:crypto'
import { ApiError, badRequest } from '../../shared/errors.js'
import { contextOfKey, RepeatedRequest } from '../actions/create-once.js'
import { type Creating, JsonFields, type Route } from '../api/route.js'
import type { Actor } from '../auth/actor.js'
import { budgets } from '../config/budgets.js'
import type { WorkerCtx } from '../ctx.js'
import { currentUser } from '../lookups/find-user.js'
import type { FilePart } from '../params/file-part.js'
import {
  digestOf,
  idempotencyKey,
  type RequestKey,
  type StoredRequest,
  storedRequest,
} from '../store/messages/idempotency-keys.js'
import { requireOpen } from './admission.js'

/** A request with an idempotency key. */
interface KeyedRequest {
  /** The key as the client sent it. */
  readonly given: string
  readonly actor: Actor
  readonly route: Route
  readonly params: Readonly<Record<string, unknown>>
  readonly files: readonly FilePart[]
  /** Bytes of a body that the operation reads itself; undefined: not known. */
  readonly bodyBytes: number | undefined
}

/** Creates without a key: each request creates. */
export const creatingAlways =
  (ctx: WorkerCtx): Creating =>
  async (action, answerOf) =>
    answerOf(await action(ctx, undefined))

/**
 * Creates once for each key (docs/protocol/conventions.md#repeated-requests). The transaction of the action finds out whether the request is
 * a repeat; a refused action may be one, too: what the first request created, or what has changed since, may be the reason.
 * @throws {ApiError} BAD_REQUEST for a malformed key
 */
export function creatingOnce(ctx: WorkerCtx, request: KeyedRequest): Creating {
  return async (action, answerOf) => {
    const key = requestKey(request)
    try {
      return answerOf(await action(contextOfKey(ctx, key, answerOf), key))
    } catch (thrown) {
      const first = await firstRequest(ctx, key, thrown)
      await authorizeNow(ctx, request)
      return answerOfFirst(first, key)
    }
  }
}

const { most } = budgets.idempotencyKey
const wellFormed = new RegExp(`^[!-~]{1,${most}}$`)

function requestKey({ given, actor, route, params, files, bodyBytes }: KeyedRequest): RequestKey {
  if (!wellFormed.test(given)) {
    throw badRequest(`Idempotency-Key: one value of 1 to ${most} visible ASCII characters is expected.`)
  }
  const digests = files.map(({ name, type, bytes }) => [name, type, createHash('sha256').update(bytes).digest('hex')])
  return {
    key: idempotencyKey(actor.user.id, given),
    // With the key, which is stored nowhere: the parameters may be few, or a password, and so could be found by trial.
    fingerprint: digestOf([given, route.operation, params, digests, bodyBytes]),
  }
}

/** @throws `thrown` if no earlier request created anything with this key */
async function firstRequest(ctx: WorkerCtx, { key }: RequestKey, thrown: unknown): Promise<StoredRequest> {
  const isRepeat = thrown instanceof RepeatedRequest
  const isRefusal = thrown instanceof ApiError && thrown.status < 500
  const first = isRepeat || isRefusal ? await storedRequest(ctx.sql, key) : undefined
  if (!first) throw isRepeat ? new ApiError('SERVER_NOT_READY', 'The key has just expired: try again.') : thrown
  return first
}

/** The action, which would have read the present role of the caller, did not run. @throws {ApiError} the refusal of the operation */
async function authorizeNow({ directory }: WorkerCtx, { actor, route }: KeyedRequest): Promise<void> {
  await directory.fresh()
  const user = currentUser(directory, actor.user)
  requireOpen({ ...actor, user }, route)
}

function answerOfFirst(first: StoredRequest, { fingerprint }: RequestKey): JsonFields {
  if (first.fingerprint !== fingerprint) {
    throw new ApiError('IDEMPOTENCY_KEY_REUSED', 'An earlier request with this key was another one.')
  }
  if (first.answer === null) {
    throw new ApiError(
      'IDEMPOTENT_ANSWER_NOT_STORED',
      'The first request took effect. Its answer was too long to be stored.',
    )
  }
  return new JsonFields(first.answer.slice(1, -1))
}

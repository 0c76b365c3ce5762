import type { Beginning } from '../../../auth/providers/provider.js'
import type { WorkerCtx } from '../../../ctx.js'
import { endPageCookie, type PageCookie, readPageCookie, setPageCookie } from '../page-cookie.js'
import type { PageRequest } from '../page-request.js'
import { type GoalValues, goalFrom, goalValues, type SignInGoal } from '../sign-in-goal.js'

/** A sign-in that goes on at a provider. Only the browser that began it can finish it: it keeps this in a cookie. */
export interface SignInAttempt extends Omit<Beginning, 'url'> {
  /** The provider's name. */
  readonly provider: string
  /** The person asked for an account. */
  readonly isSignUp: boolean
  readonly goal: SignInGoal
}

/** Seconds that a person has at the provider. */
export const attemptSeconds = 900
const attempt: PageCookie = { name: 'parley_sign_in', purpose: 'sign-in attempt', seconds: attemptSeconds }

/** The cookie of an attempt that begins. It replaces an earlier one of the browser. */
export function attemptCookie(
  ctx: WorkerCtx,
  { provider, state, nonce, verifier, isSignUp, goal }: SignInAttempt,
): string {
  const until = ctx.clock.now() + attemptSeconds * 1000
  const values = [provider, state, nonce, verifier, isSignUp ? 1 : 0, until, ...goalValues(goal)]
  return setPageCookie(ctx, attempt, values)
}

/** The cookie that ends an attempt. */
export const endedCookie = (ctx: WorkerCtx): string => endPageCookie(ctx, attempt)

/** The attempt that the browser has under way; undefined: none, or it is too old. */
export function attemptOf(ctx: WorkerCtx, request: PageRequest): SignInAttempt | undefined {
  const values = readPageCookie(ctx, request, attempt)
  if (!values) return undefined
  const [provider, state, nonce, verifier, isSignUp, until, ...goal] = values as [
    string,
    string,
    string,
    string,
    number,
    number,
    ...GoalValues,
  ]
  if (until < ctx.clock.now()) return undefined
  return { provider, state, nonce, verifier, isSignUp: isSignUp === 1, goal: goalFrom(goal) }
}

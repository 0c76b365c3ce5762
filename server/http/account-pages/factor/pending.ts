import { randomBytes } from 'node:crypto'
import { passwordDigest } from '../../../auth/password-digest.js'
import type { WorkerCtx } from '../../../ctx.js'
import type { UserRow } from '../../../store/users/users.js'
import { type PageAnswer, redirectTo } from '../account-page.js'
import type { PageCall } from '../add-account-page.js'
import { finishSignIn } from '../finish-sign-in.js'
import { endPageCookie, type PageCookie, readPageCookie, setPageCookie } from '../page-cookie.js'
import { type GoalValues, goalFrom, goalValues, type SignInGoal } from '../sign-in-goal.js'

/** A sign-in whose password was right, and that lacks the second factor. It gives its browser nothing but the page that asks for it. */
export interface PendingSignIn {
  readonly user: UserRow
  readonly goal: SignInGoal
  /** Names this sign-in, which can be finished once. */
  readonly nonce: string
  /** The second factor was shown just now, when it was set up. */
  readonly isProven: boolean
}

const kept: PageCookie = { name: 'parley_second_factor', purpose: 'pending sign-in', seconds: 600 }

/** Goes on with a sign-in at a page that asks for more than the password. */
export async function goOnAt(path: string, { ctx }: PageCall, user: UserRow, goal: SignInGoal): Promise<PageAnswer> {
  const nonce = randomBytes(16).toString('base64url')
  return redirectTo(path, [await cookieOf(ctx, { user, goal, nonce, isProven: false })])
}

/** The cookie of a sign-in whose second factor was shown. */
export const provenCookie = (ctx: WorkerCtx, pending: PendingSignIn): Promise<string> =>
  cookieOf(ctx, { ...pending, isProven: true })

async function cookieOf(ctx: WorkerCtx, { user, goal, nonce, isProven }: PendingSignIn): Promise<string> {
  const until = ctx.clock.now() + kept.seconds * 1000
  // A new password makes sign-ins worthless that are under way.
  const values = [user.id, await passwordDigest(ctx.sql, user.id), nonce, until, isProven ? 1 : 0, ...goalValues(goal)]
  return setPageCookie(ctx, kept, values)
}

/** The sign-in of this browser; undefined: none, or it is too old, was finished, or the account has changed. */
export async function pendingSignIn({ ctx, request }: PageCall): Promise<PendingSignIn | undefined> {
  const values = readPageCookie(ctx, request, kept)
  if (!values) return undefined
  const [id, digest, nonce, until, isProven, ...goal] = values as [
    number,
    string,
    string,
    number,
    number,
    ...GoalValues,
  ]
  const user = ctx.directory.users.get(id)
  if (until < ctx.clock.now() || !user?.is_active || digest !== (await passwordDigest(ctx.sql, user.id)))
    return undefined
  const isUsed = (await ctx.attempts.wait(kept.purpose, nonce, once, ctx.clock.now())) > 0
  return isUsed ? undefined : { user, nonce, isProven: isProven === 1, goal: goalFrom(goal) }
}

const once = [{ most: 1, seconds: kept.seconds }]

/** Ends a sign-in whose second factor was right. `factor`: what it was. */
export async function finishPending(call: PageCall, pending: PendingSignIn, factor: string): Promise<PageAnswer> {
  const { ctx } = call
  if ((await ctx.attempts.count(kept.purpose, pending.nonce, once, ctx.clock.now())) > 0) return redirectTo('/login/')
  const answer = await finishSignIn(call, pending.user, pending.goal, `password+${factor}`)
  return { ...answer, headers: [...answer.headers, ['Set-Cookie', endPageCookie(ctx, kept)]] }
}

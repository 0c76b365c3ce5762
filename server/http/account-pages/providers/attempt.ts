import type { Beginning } from '../../../auth/providers/provider.js'
import { readSigned, sign } from '../../../auth/signed-text.js'
import type { WorkerCtx } from '../../../ctx.js'
import type { PageRequest } from '../page-request.js'
import type { SignInGoal } from '../sign-in-goal.js'

/** A sign-in that goes on at a provider. Only the browser that began it can finish it: it keeps this in a cookie, which the server signs. */
export interface SignInAttempt extends Omit<Beginning, 'url'> {
  /** The provider's name. */
  readonly provider: string
  /** The person asked for an account. */
  readonly isSignUp: boolean
  readonly goal: SignInGoal
}

/** Seconds that a person has at the provider. */
export const attemptSeconds = 900
const purpose = 'sign-in attempt'

const isHttps = ({ publicUrl }: WorkerCtx): boolean => publicUrl.startsWith('https:')
// A name with this prefix cannot be set by a neighbouring host.
const nameOf = (ctx: WorkerCtx): string => `${isHttps(ctx) ? '__Host-' : ''}parley_sign_in`

/** Lax, because the provider sends the browser back from another site. */
const cookie = (ctx: WorkerCtx, value: string, seconds: number): string =>
  `${nameOf(ctx)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isHttps(ctx) ? '; Secure' : ''}`

/** The cookie of an attempt that begins. It replaces an earlier one of the browser. */
export function attemptCookie(ctx: WorkerCtx, attempt: SignInAttempt): string {
  const { provider, state, nonce, verifier, isSignUp, goal } = attempt
  const until = ctx.clock.now() + attemptSeconds * 1000
  const values = [provider, state, nonce, verifier, isSignUp ? 1 : 0, until]
  const { next, linkKey = '', pad } = goal
  const token = sign(ctx.directory.organization.secret, purpose, [
    ...values,
    next,
    linkKey,
    pad?.app ?? '',
    pad?.key ?? '',
  ])
  return cookie(ctx, token, attemptSeconds)
}

/** The cookie that ends an attempt. */
export const endedCookie = (ctx: WorkerCtx): string => cookie(ctx, '', 0)

/** The attempt that the browser has under way; undefined: none, or it is too old. */
export function attemptOf(ctx: WorkerCtx, request: PageRequest): SignInAttempt | undefined {
  const token = request.cookieNamed(nameOf(ctx)) ?? ''
  const values = readSigned(ctx.directory.organization.secret, purpose, token)
  if (!values) return undefined
  const [provider, state, nonce, verifier, isSignUp, until, next, linkKey, app, key] = values as [
    string,
    string,
    string,
    string,
    number,
    number,
    string,
    string,
    '' | 'mobile' | 'desktop',
    string,
  ]
  if (until < ctx.clock.now()) return undefined
  const goal = { next, linkKey: linkKey || undefined, pad: app === '' ? undefined : { app, key } }
  return { provider, state, nonce, verifier, isSignUp: isSignUp === 1, goal }
}

import { ApiError } from '../../../../shared/errors.js'
import { isMethodOn } from '../../../../shared/resources/sign-in-methods.js'
import { enterByIdentity } from '../../../actions/sign-in/enter-by-identity.js'
import { type Identity, ProviderFailure, type RedirectingProvider } from '../../../auth/providers/provider.js'
import { signInMethods } from '../../../policies/sign-in.js'
import { type PageAnswer, redirectTo } from '../account-page.js'
import type { AccountPage, PageCall } from '../add-account-page.js'
import { finishSignIn } from '../finish-sign-in.js'
import { goalOf, type SignInGoal } from '../sign-in-goal.js'
import { attemptCookie, attemptOf, attemptSeconds, endedCookie, type SignInAttempt } from './attempt.js'
import { backChannelLogout } from './back-channel-logout.js'
import { problemPage } from './problem-page.js'

type Providers = readonly RedirectingProvider[]

/** Sign-in and sign-up at identity providers (docs/sign-in.md). */
export const providerPages = (providers: Providers): readonly AccountPage[] => [
  // With one provider the path may name none.
  { pattern: '/accounts/login/social/oidc/', operation: 'begin_sign_in', get: call => begin(call, providers, false) },
  {
    pattern: '/accounts/login/social/oidc/:id/',
    operation: 'begin_sign_in',
    get: call => begin(call, providers, false),
  },
  { pattern: '/accounts/register/social/oidc/', operation: 'begin_sign_up', get: call => begin(call, providers, true) },
  {
    pattern: '/accounts/register/social/oidc/:id/',
    operation: 'begin_sign_up',
    get: call => begin(call, providers, true),
  },
  { pattern: '/complete/oidc/:id/', operation: 'complete_sign_in', get: call => complete(call, providers) },
  {
    pattern: '/accounts/oidc/:id/logout/',
    operation: 'back_channel_logout',
    isForPrograms: true,
    post: (call, form) => backChannelLogout(call, providerOf(call, providers), form),
  },
]

const notFound = () => new ApiError('NOT_FOUND', 'There is no such identity provider.')

/** @throws {ApiError} NOT_FOUND */
function providerOf({ values: [id] }: PageCall, providers: Providers): RedirectingProvider {
  const provider = id === undefined ? providers[0] : providers.find(one => one.id === id)
  if (!provider) throw notFound()
  return provider
}

/** @throws {ApiError} NOT_FOUND, also if the organization has switched the method off */
function presentProvider(call: PageCall, providers: Providers): RedirectingProvider {
  const { directory, config } = call.ctx
  if (!isMethodOn(signInMethods(directory, config.signInMethods), 'OpenID Connect')) throw notFound()
  return providerOf(call, providers)
}

const pathTo = ({ id }: RedirectingProvider, isSignUp: boolean): string =>
  `/accounts/${isSignUp ? 'register' : 'login'}/social/oidc/${id}`

async function begin(call: PageCall, providers: Providers, isSignUp: boolean): Promise<PageAnswer> {
  const provider = presentProvider(call, providers)
  const goal = goalOf(call.request.query)
  try {
    const { url, ...kept } = await provider.begin()
    return redirectTo(url, [attemptCookie(call.ctx, { provider: provider.name, isSignUp, goal, ...kept })])
  } catch (thrown) {
    return failure(call, thrown, provider, { isSignUp, goal })
  }
}

async function complete(call: PageCall, providers: Providers): Promise<PageAnswer> {
  const { ctx, request } = call
  const provider = presentProvider(call, providers)
  const attempt = attemptOf(ctx, request)
  const { query } = request
  if (attempt?.provider !== provider.name || query.get('state') !== attempt.state || !(await isFirst(call, attempt))) {
    return problemPage(call, 'expired', pathTo(provider, false), { next: '/' })
  }
  const { isSignUp, goal } = attempt
  if (query.get('error') === 'access_denied') return problemPage(call, 'cancelled', pathTo(provider, isSignUp), goal)
  try {
    const identity = await provider.finish(query.toString(), attempt)
    return await end(call, provider, identity, attempt)
  } catch (thrown) {
    return failure(call, thrown, provider, attempt)
  }
}

/** An attempt can be finished once, also by a browser that kept its cookie. */
async function isFirst({ ctx: { attempts, clock } }: PageCall, { state }: SignInAttempt): Promise<boolean> {
  const once = [{ most: 1, seconds: attemptSeconds }]
  return (await attempts.count('sign-in attempt', state, once, clock.now())) === 0
}

async function end(
  call: PageCall,
  provider: RedirectingProvider,
  identity: Identity,
  { isSignUp, goal }: SignInAttempt,
): Promise<PageAnswer> {
  const { ctx, language } = call
  const linkKey = goal.linkKey ?? null
  const result = await enterByIdentity(ctx, provider, identity, { language, linkKey, isSignUp })
  switch (result.outcome) {
    case 'signed in': {
      const answer = await finishSignIn(call, result.user, goal, provider.name)
      return { ...answer, headers: [...answer.headers, ['Set-Cookie', endedCookie(ctx)]] }
    }
    case 'deactivated':
      return redirectTo(`/login/?is_deactivated=${encodeURIComponent(result.user.delivery_email)}`, [endedCookie(ctx)])
    case 'unknown':
      return problemPage(call, 'unknown', pathTo(provider, true), goal)
    case 'uninvited':
      return problemPage(call, 'uninvited', pathTo(provider, isSignUp), goal)
    case 'refused':
      ctx.log.warn(
        { provider: provider.name, subject: identity.subject, reason: result.reason },
        'an identity has no access to an account',
      )
      return problemPage(call, result.reason, pathTo(provider, isSignUp), goal)
  }
}

/** The page for a provider that does not answer, or not acceptably. @throws what is no failure of a provider */
function failure(
  call: PageCall,
  thrown: unknown,
  provider: RedirectingProvider,
  { isSignUp, goal }: { readonly isSignUp: boolean; readonly goal: SignInGoal },
): PageAnswer {
  if (!(thrown instanceof ProviderFailure)) throw thrown
  call.ctx.log.warn({ provider: provider.name, reason: thrown.message }, 'a sign-in at an identity provider failed')
  return problemPage(call, thrown.kind, pathTo(provider, isSignUp), goal)
}

import { ApiError, badRequest } from '../../../../shared/errors.js'
import { logOutByProvider } from '../../../actions/sign-in/log-out-by-provider.js'
import { ProviderFailure, type RedirectingProvider } from '../../../auth/providers/provider.js'
import type { PageAnswer } from '../account-page.js'
import type { PageCall } from '../add-account-page.js'

// Longer than a token is valid, so that none works twice.
const rememberedSeconds = 900

/**
 * A provider reports that a person has signed out, or left: its sessions here end (OpenID Connect Back-Channel Logout 1.0). It works also while the
 * organization has the method switched off, because sessions may be left.
 * @throws {ApiError} BAD_REQUEST, SERVER_NOT_READY
 */
export async function backChannelLogout(
  { ctx }: PageCall,
  provider: RedirectingProvider,
  form: URLSearchParams,
): Promise<PageAnswer> {
  const { subject, tokenId } = await readToken(ctx, provider, form.get('logout_token') ?? '')
  const once = [{ most: 1, seconds: rememberedSeconds }]
  const used = ['logout token', `${provider.name} ${tokenId}`] as const
  if ((await ctx.attempts.count(...used, once, ctx.clock.now())) > 0) {
    throw badRequest('This logout token was used before.')
  }
  try {
    await logOutByProvider(ctx, { provider: provider.name, subject }, provider.logoutEndsKeys)
  } catch (error) {
    // The provider repeats it.
    await ctx.attempts.forget(...used)
    throw error
  }
  return { status: 200, headers: [['Cache-Control', 'no-store']], body: '' }
}

async function readToken({ clock, log }: PageCall['ctx'], provider: RedirectingProvider, token: string) {
  try {
    return await provider.readLogout(token, new Date(clock.now()))
  } catch (thrown) {
    if (!(thrown instanceof ProviderFailure)) throw thrown
    log.warn({ provider: provider.name, reason: thrown.message }, 'a logout by an identity provider was refused')
    if (thrown.kind === 'away') throw new ApiError('SERVER_NOT_READY', 'The provider does not answer.')
    throw badRequest('The logout token is not accepted.')
  }
}

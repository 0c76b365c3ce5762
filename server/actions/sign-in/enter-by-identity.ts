import type { Identity, Provider } from '../../auth/providers/provider.js'
import type { Ctx } from '../../ctx.js'
import { type Coming, joinByIdentity, mayJoin } from './join-by-identity.js'
import { type IdentityResult, signInByIdentity } from './sign-in-by-identity.js'

interface Entering extends Coming {
  /** The person has asked for an account. */
  readonly isSignUp: boolean
}

/** As `IdentityResult`; `uninvited`: the person has no account and may not join, `unknown`: it may join, but has not asked for it. */
type EntryResult = IdentityResult | { readonly outcome: 'uninvited' }

/** Signs in a person that a provider names; one without an account that may join gets one if it has asked for it, or the provider says so. */
export async function enterByIdentity(
  ctx: Ctx,
  provider: Provider,
  identity: Identity,
  { isSignUp, ...coming }: Entering,
): Promise<EntryResult> {
  const result = await signInByIdentity(ctx, provider, identity)
  if (result.outcome !== 'unknown') return result
  if (!(await mayJoin(ctx, identity, coming))) return { outcome: 'uninvited' }
  if (!isSignUp && !provider.autoSignup) return result
  await joinByIdentity(ctx, provider, identity, coming)
  return signInByIdentity(ctx, provider, identity)
}

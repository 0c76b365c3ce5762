import { z } from 'zod'
import { requireIdentity } from '../actions/factors/prove-identity.js'
import { requireFactorOfSession } from '../actions/factors/require-no-factor.js'
import { type Route, route } from '../api/route.js'
import { text } from '../params/schemas.js'
import { anyAccount } from '../policies/allow.js'

/** Operations of /api/v1 that a session cannot call: it would replace a key, or has an operation of its own. */
const byKeyOnly: ReadonlySet<string> = new Set(['regenerate_own_api_key', 'fetch_api_key'])

/**
 * The API key of the session's account, for its other clients: again for its password or
 * after a new sign-in, because a page left open must not give it away.
 */
export const fetchOwnApiKey = route({
  operation: 'fetch_own_api_key',
  method: 'POST',
  path: '/fetch_api_key',
  doc: 'Returns your API key for your password, or after a new sign-in without a password.',
  allow: anyAccount,
  params: z.object({
    password: text()
      .default('')
      .describe('Your password. Not needed in a session that began in the last ten minutes, and not by a password.'),
  }),
  returns: z.object({ api_key: z.string(), email: z.string() }),
  errors: ['BAD_REQUEST', 'RATE_LIMIT_HIT', 'SECOND_FACTOR_REQUIRED'],
  async handle({ ctx, actor, address, params: { password } }) {
    const { user, sessionId } = actor
    await requireFactorOfSession(ctx, user, sessionId)
    await requireIdentity(ctx, actor, { password, address })
    return { api_key: user.api_key, email: user.delivery_email }
  },
})

/** The operations below /json, which sessions authenticate. */
export const sessionRoutes = (routes: readonly Route[]): readonly Route[] => [
  ...routes.filter(({ operation }) => !byKeyOnly.has(operation)),
  fetchOwnApiKey,
]

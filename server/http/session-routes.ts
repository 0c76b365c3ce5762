import { z } from 'zod'
import { requireFactorOfSession } from '../actions/factors/require-no-factor.js'
import { requireOwnPassword } from '../actions/sign-in/own-password.js'
import { takesNamesAndPasswords } from '../actions/sign-in/sign-in-by-password.js'
import { type Route, route } from '../api/route.js'
import { text } from '../params/schemas.js'
import { anyAccount } from '../policies/allow.js'

/** Operations of /api/v1 that a session cannot call: it would replace a key, or has an operation of its own. */
const byKeyOnly: ReadonlySet<string> = new Set(['regenerate_own_api_key', 'fetch_api_key'])

/** The API key of the session's account, for its other clients: again for its password, because a page left open must not give it away. */
export const fetchOwnApiKey = route({
  operation: 'fetch_own_api_key',
  method: 'POST',
  path: '/fetch_api_key',
  doc: 'Returns your API key for your password.',
  allow: anyAccount,
  params: z.object({ password: text().default('').describe('Your password.') }),
  returns: z.object({ api_key: z.string(), email: z.string() }),
  errors: ['BAD_REQUEST', 'RATE_LIMIT_HIT', 'SECOND_FACTOR_REQUIRED'],
  async handle({ ctx, actor: { user, sessionId }, address, params: { password } }) {
    await requireFactorOfSession(ctx, user, sessionId)
    if (takesNamesAndPasswords(ctx)) await requireOwnPassword(ctx, user, { password, address })
    return { api_key: user.api_key, email: user.delivery_email }
  },
})

/** The operations below /json, which sessions authenticate. */
export const sessionRoutes = (routes: readonly Route[]): readonly Route[] => [
  ...routes.filter(({ operation }) => !byKeyOnly.has(operation)),
  fetchOwnApiKey,
]

import { z } from 'zod'
import { badRequest } from '../../shared/errors.js'
import { type Route, route } from '../api/route.js'
import { isRightPassword } from '../auth/passwords.js'
import { tryPassword } from '../limits/sign-in-attempts.js'
import { text } from '../params/schemas.js'
import { anyAccount } from '../policies/allow.js'
import { isPasswordOn } from '../policies/sign-in.js'

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
  errors: ['BAD_REQUEST', 'RATE_LIMIT_HIT'],
  async handle({ ctx, actor: { user }, params: { password } }) {
    if (isPasswordOn(ctx)) {
      const { id: userId, delivery_email: email } = user
      const isRight = (hash: string | null) => ctx.workLimits.passwordHashes.run(() => isRightPassword(hash, password))
      const right = await tryPassword(ctx, { email, userId, address: '' }, isRight)
      if (right === undefined) throw badRequest('Password is incorrect.')
    }
    return { api_key: user.api_key, email: user.delivery_email }
  },
})

/** The operations below /json, which sessions authenticate. */
export const sessionRoutes = (routes: readonly Route[]): readonly Route[] => [
  ...routes.filter(({ operation }) => !byKeyOnly.has(operation)),
  fetchOwnApiKey,
]

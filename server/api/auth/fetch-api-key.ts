import { z } from 'zod'
import { ApiError, badRequest } from '../../../shared/errors.js'
import { isRightPassword } from '../../auth/passwords.js'
import { authenticationFailed, requireActiveAccount, requireActiveOrganization } from '../../auth/require-active.js'
import { tryPassword } from '../../limits/sign-in-attempts.js'
import { text } from '../../params/schemas.js'
import { realmSetting } from '../../policies/settings.js'
import { route } from '../route.js'

const addressPattern = /^[^\s@]+@[^\s@]+$/

export const fetchApiKey = route({
  operation: 'fetch_api_key',
  method: 'POST',
  path: '/fetch_api_key',
  doc: 'Returns the API key of an account for its password. Five wrong passwords within half an hour block the account for a while.',
  allow: 'anyone',
  params: z.object({
    username: text().meta({ pattern: addressPattern.source }).describe('Your real email address.'),
    password: text().describe('Your password.'),
  }),
  returns: z.object({ api_key: z.string(), email: z.string(), user_id: z.int() }),
  errors: [
    'AUTHENTICATION_FAILED',
    'USER_DEACTIVATED',
    'REALM_DEACTIVATED',
    'PASSWORD_AUTH_DISABLED',
    'BAD_REQUEST',
    'RATE_LIMIT_HIT',
  ],
  async handle({ ctx, address, params: { username, password } }) {
    const { directory } = ctx
    await directory.fresh()
    requireActiveOrganization(directory)
    if (!realmSetting(directory, 'authentication_methods').Email?.enabled) {
      throw new ApiError('PASSWORD_AUTH_DISABLED', 'Password authentication is disabled in this organization')
    }
    if (!addressPattern.test(username)) throw badRequest('Enter a valid email address.')
    const user = directory.usersByEmail.get(username.toLowerCase())
    // One password hash, whether the account exists or not, so that the response time does not reveal it.
    const isRight = (hash: string | null) => ctx.workLimits.passwordHashes.run(() => isRightPassword(hash, password))
    const right = await tryPassword(ctx, { email: username, userId: user?.id, address }, isRight)
    if (right === undefined || !user) throw authenticationFailed()
    requireActiveAccount(user)
    return { api_key: user.api_key, email: user.delivery_email, user_id: user.id }
  },
})

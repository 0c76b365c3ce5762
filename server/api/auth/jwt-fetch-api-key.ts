import { z } from 'zod'
import { user as userResource } from '../../../shared/resources/user.js'
import { isMisleading } from '../../actions/accounts/account-details.js'
import { mailSignIn } from '../../actions/sign-in/mail-sign-in.js'
import { authenticationFailed, requireActiveAccount, requireActiveOrganization } from '../../auth/require-active.js'
import { readTokenKeys } from '../../auth/token-keys.js'
import { emailInToken } from '../../auth/tokens.js'
import { budgets } from '../../config/budgets.js'
import { boolean, text } from '../../params/schemas.js'
import { userObject } from '../../presenters/user-object.js'
import { route } from '../route.js'
import { shownAs } from '../users/options.js'

export const jwtFetchApiKey = route({
  operation: 'jwt_fetch_api_key',
  method: 'POST',
  path: '/jwt/fetch_api_key',
  doc: 'Returns the API key of the user that a signed token names.',
  allow: 'anyone',
  params: z.object({
    token: text(budgets.tokenCharacters.most).default('').describe('A JSON Web Token with the claim email.'),
    include_profile: boolean().default(false).describe('Whether the answer contains the user.'),
  }),
  returns: z.object({ api_key: z.string(), email: z.string(), user: userResource.optional() }),
  errors: ['BAD_REQUEST', 'AUTHENTICATION_FAILED', 'USER_DEACTIVATED', 'REALM_DEACTIVATED'],
  isSecret: true,
  async handle({ ctx, address, client, params: { token, include_profile } }) {
    const { directory, config, clock } = ctx
    const email = await emailInToken(token, readTokenKeys(config.jwtSecrets), new Date(clock.now()))
    await directory.fresh()
    requireActiveOrganization(directory)
    const user = isMisleading(email) ? undefined : directory.usersByEmail.get(email.toLowerCase())
    if (!user || user.is_system_bot) throw authenticationFailed()
    requireActiveAccount(user)
    await mailSignIn(ctx, user, { address, device: client })
    const profile = shownAs(ctx, { client_gravatar: false, include_custom_profile_fields: false })
    return {
      api_key: user.api_key,
      email: user.delivery_email,
      ...(include_profile && { user: userObject(user, user, profile) }),
    }
  },
})

import { z } from 'zod'
import { badRequest } from '../../../shared/errors.js'
import { requireNoFactor } from '../../actions/factors/require-no-factor.js'
import { mailSignIn } from '../../actions/sign-in/mail-sign-in.js'
import { requirePasswordOn, signInByPassword } from '../../actions/sign-in/sign-in-by-password.js'
import { text } from '../../params/schemas.js'
import { route } from '../route.js'

const addressPattern = /^[^\s@]+@[^\s@]+$/

export const fetchApiKey = route({
  operation: 'fetch_api_key',
  method: 'POST',
  path: '/fetch_api_key',
  doc: 'Returns the API key of an account for its password. Five wrong passwords within half an hour block the account for a while. An account with a second factor gets its key through a browser.',
  allow: 'anyone',
  params: z.object({
    username: text()
      .meta({ pattern: addressPattern.source })
      .describe('Your real email address; where a directory has other names, your name there.'),
    password: text().describe('Your password.'),
  }),
  returns: z.object({ api_key: z.string(), email: z.string(), user_id: z.int() }),
  errors: [
    'AUTHENTICATION_FAILED',
    'USER_DEACTIVATED',
    'REALM_DEACTIVATED',
    'PASSWORD_AUTH_DISABLED',
    'SECOND_FACTOR_REQUIRED',
    'BAD_REQUEST',
    'RATE_LIMIT_HIT',
  ],
  isSecret: true,
  async handle({ ctx, address, client, params: { username, password } }) {
    await ctx.directory.fresh()
    requirePasswordOn(ctx)
    // The message for a name of another form comes after the refusals that concern every name.
    if (ctx.config.namesAreAddresses && !addressPattern.test(username)) throw badRequest('Enter a valid email address.')
    const user = await signInByPassword(ctx, { username, password, address })
    await requireNoFactor(ctx, user)
    await mailSignIn(ctx, user, { address, device: client })
    return { api_key: user.api_key, email: user.delivery_email, user_id: user.id }
  },
})

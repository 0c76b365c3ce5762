import { z } from 'zod'
import { addApp } from '../../actions/factors/authenticator-app.js'
import { budgets } from '../../config/budgets.js'
import { text } from '../../params/schemas.js'
import { anyHuman } from '../../policies/allow.js'
import { route } from '../route.js'

export const addAuthenticatorApp = route({
  operation: 'add_authenticator_app',
  method: 'POST',
  path: '/users/me/factors/app',
  doc: 'Adds an authenticator app, whose codes are asked for at each sign-in by password from then on. The first second factor ends your other sessions.',
  allow: anyHuman,
  params: z.object({
    setup: text(budgets.tokenCharacters.most).describe('Of `begin_authenticator_app`.'),
    code: text().describe('The code that the app shows.'),
  }),
  returns: z.object({
    recovery_codes: z
      .array(z.string())
      .describe('With your first second factor: each of these codes works once in place of it. Otherwise empty.'),
  }),
  errors: ['BAD_REQUEST'],
  isAdministrative: true,
  isSecret: true,
  async handle({ ctx, actor: { user, sessionId }, params }) {
    return { recovery_codes: await addApp(ctx, user, { ...params, sessionId }) }
  },
})

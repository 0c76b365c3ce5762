import { z } from 'zod'
import { beginApp } from '../../actions/factors/authenticator-app.js'
import { requireProof } from '../../actions/factors/prove-identity.js'
import { anyHuman } from '../../policies/allow.js'
import { route } from '../route.js'
import { proof } from './params.js'

export const beginAuthenticatorApp = route({
  operation: 'begin_authenticator_app',
  method: 'POST',
  path: '/users/me/factors/app/setup',
  doc: 'Returns a new secret for an authenticator app. Nothing changes before `add_authenticator_app`.',
  allow: anyHuman,
  params: z.object({ proof: proof() }),
  returns: z.object({
    secret: z.string().describe('Base32, for an app that reads no QR code.'),
    uri: z.string().describe('What the QR code says.'),
    qr: z
      .object({
        size: z.int().describe('Width and height.'),
        path: z.string().describe('The dark squares, as the attribute `d` of an SVG path.'),
      })
      .describe('The QR code.'),
    setup: z.string().describe('For `add_authenticator_app`; fifteen minutes.'),
  }),
  errors: ['BAD_REQUEST'],
  isSecret: true,
  async handle({ ctx, actor: { user }, params }) {
    await requireProof(ctx, user, params.proof)
    return { ...beginApp(ctx, user) }
  },
})

import { z } from 'zod'
import { ApiError } from '../../../shared/errors.js'
import { idNumber, json, text, word } from '../../params/schemas.js'
import { anyHuman } from '../../policies/allow.js'
import { route } from '../route.js'
import { noRelay } from './mobile-params.js'

const mostText = 4096
const refused = 'Refused: the server has no push service for mobile apps.'
const some = () => text(mostText).optional().describe(refused)

export const registerPushDevice = route({
  operation: 'register_push_device',
  method: 'POST',
  path: '/mobile_push/register',
  doc: `Refused: ${noRelay}`,
  allow: anyHuman,
  params: z.object({
    device_id: json(idNumber).describe(refused),
    push_key_id: json(z.int().min(0).max(4_294_967_295)).optional().describe(refused),
    push_key: some(),
    token_kind: word('fcm', 'apns').optional().describe(refused),
    token_id: some(),
    bouncer_public_key: some(),
    encrypted_push_registration: some(),
  }),
  returns: z.object({}),
  errors: ['PUSH_SERVICE_NOT_CONFIGURED'],
  async handle() {
    throw new ApiError('PUSH_SERVICE_NOT_CONFIGURED', 'Server is not configured to use push notification service.')
  },
})

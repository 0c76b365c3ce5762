import { z } from 'zod'
import { badRequest } from '../../../shared/errors.js'
import { anyHuman } from '../../policies/allow.js'
import { route } from '../route.js'
import { deviceToken, noRelay } from './mobile-params.js'

export const removeFcmToken = route({
  operation: 'remove_fcm_token',
  method: 'DELETE',
  path: '/users/me/android_gcm_reg_id',
  doc: `Refused: the server keeps no tokens. ${noRelay}`,
  allow: anyHuman,
  params: z.object({ token: deviceToken().describe('Refused: no token is known.') }),
  returns: z.object({}),
  errors: ['BAD_REQUEST'],
  async handle() {
    throw badRequest('Token does not exist')
  },
})

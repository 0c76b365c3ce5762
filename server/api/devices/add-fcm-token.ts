import { z } from 'zod'
import { anyHuman } from '../../policies/allow.js'
import { route } from '../route.js'
import { deviceToken, noRelay } from './mobile-params.js'

export const addFcmToken = route({
  operation: 'add_fcm_token',
  method: 'POST',
  path: '/users/me/android_gcm_reg_id',
  doc: `Changes nothing, so that mobile apps go on. ${noRelay}`,
  allow: anyHuman,
  params: z.object({ token: deviceToken().describe('The token of the device.') }),
  returns: z.object({}),
  errors: ['BAD_REQUEST'],
  async handle() {
    return {}
  },
})

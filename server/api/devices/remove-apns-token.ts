import { z } from 'zod'
import { badRequest } from '../../../shared/errors.js'
import { anyHuman } from '../../policies/allow.js'
import { route } from '../route.js'
import { appleToken, noRelay } from './mobile-params.js'

export const removeApnsToken = route({
  operation: 'remove_apns_token',
  method: 'DELETE',
  path: '/users/me/apns_device_token',
  doc: `Refused: the server keeps no tokens. ${noRelay}`,
  allow: anyHuman,
  params: z.object({ token: appleToken().describe('Refused: no token is known.') }),
  returns: z.object({}),
  errors: ['BAD_REQUEST'],
  async handle() {
    throw badRequest('Token does not exist')
  },
})

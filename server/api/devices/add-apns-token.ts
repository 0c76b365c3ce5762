import { z } from 'zod'
import { anyHuman } from '../../policies/allow.js'
import { route } from '../route.js'
import { appleApp, appleToken, noRelay } from './mobile-params.js'

export const addApnsToken = route({
  operation: 'add_apns_token',
  method: 'POST',
  path: '/users/me/apns_device_token',
  doc: `Changes nothing, so that mobile apps go on. ${noRelay}`,
  allow: anyHuman,
  params: z.object({
    token: appleToken().describe('The token of the device.'),
    appid: appleApp().describe('The identifier of the app.'),
  }),
  returns: z.object({}),
  errors: ['BAD_REQUEST'],
  async handle() {
    return {}
  },
})

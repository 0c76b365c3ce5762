import { z } from 'zod'
import { ApiError } from '../../../shared/errors.js'
import { testDevices } from '../../actions/push/change-devices.js'
import { text } from '../../params/schemas.js'
import { anyHuman } from '../../policies/allow.js'
import { route } from '../route.js'
import { noRelay } from './mobile-params.js'

export const testNotify = route({
  operation: 'test_notify',
  method: 'POST',
  path: '/mobile_push/test_notification',
  doc: `Sends a test to all devices of the caller that \`get_push_devices\` lists, if there are any. ${noRelay}`,
  allow: anyHuman,
  params: z.object({ token: text(4096).optional().describe('Refused: no token is known.') }),
  returns: z.object({}),
  errors: ['INVALID_PUSH_DEVICE_TOKEN'],
  async handle({ ctx, actor, params: { token } }) {
    if (token !== undefined) throw new ApiError('INVALID_PUSH_DEVICE_TOKEN', 'Device not recognized')
    await testDevices(ctx, actor)
    return {}
  },
})

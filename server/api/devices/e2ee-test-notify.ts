import { z } from 'zod'
import { ApiError } from '../../../shared/errors.js'
import { testDevices } from '../../actions/push/change-devices.js'
import { idNumber, json } from '../../params/schemas.js'
import { anyHuman } from '../../policies/allow.js'
import { route } from '../route.js'
import { noRelay } from './mobile-params.js'

export const e2eeTestNotify = route({
  operation: 'e2ee_test_notify',
  method: 'POST',
  path: '/mobile_push/e2ee/test_notification',
  doc: `Sends a test to all devices of the caller that \`get_push_devices\` lists. ${noRelay}`,
  allow: anyHuman,
  params: z.object({ device_id: json(idNumber).optional().describe('Refused: no mobile app is registered.') }),
  returns: z.object({}),
  errors: ['NO_ACTIVE_PUSH_DEVICE'],
  async handle({ ctx, actor, params: { device_id } }) {
    const reached = device_id === undefined ? await testDevices(ctx, actor) : 0
    if (reached === 0) throw new ApiError('NO_ACTIVE_PUSH_DEVICE', 'No device is registered for notifications.')
    return {}
  },
})

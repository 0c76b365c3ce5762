import { z } from 'zod'
import { requirePush, testDevices } from '../../actions/push/change-devices.js'
import { shortId } from '../../params/schemas.js'
import { anyHuman } from '../../policies/allow.js'
import { route } from '../route.js'

export const testPushDevice = route({
  operation: 'test_push_device',
  method: 'POST',
  path: '/users/me/push_devices/{push_device_id}/test',
  doc: 'Sends a test notification to one of your devices. If the push service does not take it, `get_push_devices` says so (`failing_since`).',
  allow: anyHuman,
  params: z.object({ push_device_id: shortId().describe('As `get_push_devices` lists it.') }),
  returns: z.object({}),
  errors: ['BAD_REQUEST', 'PUSH_SERVICE_NOT_CONFIGURED'],
  async handle({ ctx, actor, params }) {
    requirePush(ctx)
    await testDevices(ctx, actor, params.push_device_id)
    return {}
  },
})

import { z } from 'zod'
import { removeDevice } from '../../actions/push/change-devices.js'
import { shortId } from '../../params/schemas.js'
import { anyHuman } from '../../policies/allow.js'
import { route } from '../route.js'

export const removePushDevice = route({
  operation: 'remove_push_device',
  method: 'DELETE',
  path: '/users/me/push_devices/{push_device_id}',
  doc: 'Removes one of your devices: it gets no more notifications.',
  allow: anyHuman,
  params: z.object({ push_device_id: shortId().describe('As `get_push_devices` lists it.') }),
  returns: z.object({}),
  errors: ['BAD_REQUEST'],
  async handle({ ctx, actor, params }) {
    await removeDevice(ctx, actor, params.push_device_id)
    return {}
  },
})

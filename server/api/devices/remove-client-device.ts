import { z } from 'zod'
import { removeDevice } from '../../actions/devices/change-devices.js'
import { idNumber, json } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'

export const removeClientDevice = route({
  operation: 'remove_client_device',
  method: 'POST',
  path: '/remove_client_device',
  doc: 'Removes a device that you registered, for example when its client signs out.',
  allow: anyAccount,
  params: z.object({ device_id: json(idNumber).describe('As register_client_device returned it.') }),
  returns: z.object({}),
  errors: ['BAD_REQUEST'],
  async handle({ ctx, actor, params: { device_id } }) {
    await removeDevice(ctx, actor, device_id)
    return {}
  },
})

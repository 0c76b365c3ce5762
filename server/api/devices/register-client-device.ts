import { z } from 'zod'
import { registerDevice } from '../../actions/devices/change-devices.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'

export const registerClientDevice = route({
  operation: 'register_client_device',
  method: 'POST',
  path: '/register_client_device',
  doc: 'Registers the device on which your client runs; at most a thousand per user.',
  allow: anyAccount,
  params: z.object({}),
  returns: z.object({ device_id: z.int() }),
  errors: ['BAD_REQUEST'],
  creates: true,
  async handle({ creating, actor }) {
    return creating(
      ctx => registerDevice(ctx, actor),
      ({ id }) => ({ device_id: id }),
    )
  },
})

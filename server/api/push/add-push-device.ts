import { z } from 'zod'
import { badRequest } from '../../../shared/errors.js'
import { addDevice, requirePush } from '../../actions/push/change-devices.js'
import { isPushEndpoint, mostEndpointCharacters } from '../../external/push-endpoint.js'
import { keptText, text } from '../../params/schemas.js'
import { anyHuman } from '../../policies/allow.js'
import { route } from '../route.js'
import { bytesOf, receiverKey, receiverSecret } from './params.js'

export const addPushDevice = route({
  operation: 'add_push_device',
  method: 'POST',
  path: '/users/me/push_devices',
  doc: 'Adds a device that receives your notifications: an endpoint of Web Push (RFC 8030), of a browser or of UnifiedPush. An endpoint that is there already gets the new values, and moves to you. It ends with the session that added it; at most 20 per account.',
  allow: anyHuman,
  params: z.object({
    endpoint: text(mostEndpointCharacters).describe('A public https address, `endpoint` of a `PushSubscription`.'),
    p256dh: receiverKey().describe('The public key of the receiver, `keys.p256dh` of a `PushSubscription`.'),
    auth: receiverSecret().describe('The secret of the receiver, `keys.auth` of a `PushSubscription`.'),
    name: keptText(60).describe('How you recognize the device.'),
  }),
  returns: z.object({ id: z.int() }),
  errors: ['BAD_REQUEST', 'PUSH_SERVICE_NOT_CONFIGURED'],
  async handle({ ctx, actor, params: { endpoint, p256dh, auth, name } }) {
    requirePush(ctx)
    if (!isPushEndpoint(endpoint, ctx.config.pushPrivateOrigins)) {
      throw badRequest('The endpoint is no https address of a public host.')
    }
    return { id: await addDevice(ctx, actor, { endpoint, p256dh: bytesOf(p256dh), auth: bytesOf(auth), name }) }
  },
})

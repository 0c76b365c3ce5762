import { createHash } from 'node:crypto'
import { z } from 'zod'
import { ownPushKey } from '../../actions/push/push-keys.js'
import { anyHuman } from '../../policies/allow.js'
import { devicesOf, type ListedDevice } from '../../store/push/devices.js'
import { route } from '../route.js'

const device = z.object({
  id: z.int(),
  name: z.string(),
  service: z.string().describe('The host of the push service.'),
  endpoint_hash: z.string().describe('SHA-256 of the endpoint in base64url: by it a client recognizes its own device.'),
  created: z.int().describe('UNIX seconds.'),
  failing_since: z.int().nullable().describe('UNIX seconds since when no push has reached it; null: the last one did.'),
})

export const getPushDevices = route({
  operation: 'get_push_devices',
  method: 'GET',
  path: '/users/me/push_devices',
  doc: 'Lists your devices that receive notifications by Web Push, and the key by which push services recognize this server.',
  allow: anyHuman,
  params: z.object({}),
  returns: z.object({
    public_key: z
      .string()
      .nullable()
      .describe(
        'The `applicationServerKey` of `PushManager.subscribe` (VAPID), in base64url; null: this server sends no pushes.',
      ),
    devices: z.array(device),
  }),
  errors: [],
  async handle({ ctx, actor: { user } }) {
    const key = ctx.config.webPush ? (await ownPushKey(ctx.sql)).public_key.toString('base64url') : null
    const rows = await devicesOf(ctx.sql, user.id)
    return { public_key: key, devices: rows.map(listed) }
  },
})

const listed = ({ id, name, endpoint, created, failing_since }: ListedDevice) => ({
  id,
  name,
  service: new URL(endpoint).host,
  endpoint_hash: createHash('sha256').update(endpoint).digest('base64url'),
  created: seconds(created),
  failing_since: failing_since && seconds(failing_since),
})

const seconds = (time: Date): number => Math.floor(time.getTime() / 1000)

import { z } from 'zod'
import { badRequest } from '../../../shared/errors.js'
import { anyAccount } from '../../access/allow.js'
import { changeSubscriptionSetting, type SettingChange } from '../../actions/channels/personal-settings.js'
import { json, pathId } from '../params.js'
import { type Method, type Route, route } from '../route.js'
import { color } from './params.js'

const booleans = [
  'is_muted',
  'in_home_view',
  'pin_to_top',
  'desktop_notifications',
  'audible_notifications',
  'push_notifications',
  'email_notifications',
  'wildcard_mentions_notify',
] as const

const property = z.enum(['color', ...booleans])

/** @throws {ApiError} BAD_REQUEST for an unknown property, or a value that is not of its type. */
export function settingChange(stream_id: number, name: string, value: boolean | string): SettingChange {
  const known = property.safeParse(name)
  if (!known.success) throw badRequest(`Unknown subscription property: ${name}`)
  const parsed = (known.data === 'color' ? color : z.boolean()).safeParse(value)
  if (!parsed.success) throw badRequest(`value is not a ${known.data === 'color' ? 'valid hex color code' : 'boolean'}`)
  return { stream_id, property: known.data, value: parsed.data }
}

/** One setting of one channel: clients send PATCH; api.md E3 says POST. */
export function settingRoute(operation: string, method: Method): Route {
  return route({
    operation,
    method,
    path: '/users/me/subscriptions/{stream_id}',
    doc: 'Change one of your own settings for a channel that you are subscribed to.',
    allow: anyAccount,
    params: z.object({
      stream_id: pathId().describe('The channel.'),
      property: z.string().describe('Name of the setting.'),
      value: json(z.union([z.boolean(), z.string()])).describe('A boolean, or for `color` a hex color.'),
    }),
    returns: z.object({}),
    errors: ['BAD_REQUEST'],
    async handle({ ctx, actor, params: { stream_id, property, value } }) {
      await changeSubscriptionSetting(ctx, actor, settingChange(stream_id, property, value))
      return {}
    },
  })
}

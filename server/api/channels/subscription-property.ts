import { z } from 'zod'
import { badRequest } from '../../../shared/errors.js'
import { changeSubscriptionSettings, type SettingChange } from '../../actions/channels/personal-settings.js'
import type { Actor } from '../../auth/actor.js'
import type { Condition } from '../../params/conditions.js'
import { json, shortId, text } from '../../params/schemas.js'
import type { Call } from '../route.js'
import { color, colorPattern } from './params.js'

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

/** A change that meets `valueConditions`. @throws {ApiError} BAD_REQUEST for an unknown property. */
export function settingChange(stream_id: number, name: string, value: boolean | string): SettingChange {
  const known = property.safeParse(name)
  if (!known.success) throw badRequest(`Unknown subscription property: ${name}`)
  return { stream_id, property: known.data, value: known.data === 'color' ? color.parse(value) : value }
}

export const valueConditions: readonly Condition<'property' | 'value'>[] = [
  {
    when: { property: ['color'] },
    holds: { value: color.describe('a hex color') },
    refusal: () => badRequest('value is not a valid hex color code'),
  },
  {
    when: { property: booleans },
    holds: { value: z.boolean().describe('a boolean') },
    refusal: () => badRequest('value is not a boolean'),
  },
]

// Checked by `settingChange`.
export const propertyParam = text().meta({ enum: property.options })
export const valueParam = z.union([text().meta({ pattern: colorPattern.source }), z.boolean()])

/**
 * Parameters of both operations on one setting of one channel: clients send PATCH or POST
 * (docs/protocol/compatibility.md#older-names).
 */
export const settingParams = z.object({
  stream_id: shortId().describe('The channel.'),
  property: propertyParam.describe('Name of the setting.'),
  value: json(valueParam).describe('For `color` a hex color, otherwise a boolean.'),
})

export async function changeSetting(call: Call<z.output<typeof settingParams>, Actor>): Promise<Record<string, never>> {
  const { stream_id, property, value } = call.params
  await changeSubscriptionSettings(call.ctx, call.actor, [settingChange(stream_id, property, value)])
  return {}
}

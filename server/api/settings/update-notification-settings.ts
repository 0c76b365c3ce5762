import { z } from 'zod'
import { anyHuman } from '../../policies/allow.js'
import { route } from '../route.js'
import { ownSettingsConditions, ownSettingsParams, updateOwnSettings } from './own-settings.js'

export const updateNotificationSettings = route({
  operation: 'update_notification_settings',
  method: 'PATCH',
  path: '/settings/notifications',
  doc: 'Older name of PATCH /settings. Deprecated.',
  allow: anyHuman,
  params: ownSettingsParams,
  requires: ownSettingsConditions,
  returns: z.object({}),
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL', 'RATE_LIMIT_HIT', 'SECOND_FACTOR_REQUIRED'],
  async handle({ ctx, actor, params }) {
    await updateOwnSettings(ctx, actor, params)
    return {}
  },
})

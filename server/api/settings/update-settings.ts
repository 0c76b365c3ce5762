import { z } from 'zod'
import { anyHuman } from '../../policies/allow.js'
import { route } from '../route.js'
import { ownSettingsConditions, ownSettingsParams, updateOwnSettings } from './own-settings.js'

export const updateSettings = route({
  operation: 'update_settings',
  method: 'PATCH',
  path: '/settings',
  doc:
    'Changes your personal settings, your name, your time zone or your password; or, with target_users, settings of ' +
    'others. All of it or, when anything is refused, nothing. Turning enable_drafts_synchronization off deletes the drafts.',
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

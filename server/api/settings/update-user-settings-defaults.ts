import { z } from 'zod'
import { changeSettingsDefaults } from '../../actions/settings/change-defaults.js'
import { administrators } from '../../policies/allow.js'
import { storedSound } from '../../presenters/user-settings.js'
import { route } from '../route.js'
import { defaultParams } from './setting-params.js'

export const updateUserSettingsDefaults = route({
  operation: 'update_user_settings_defaults',
  method: 'PATCH',
  path: '/realm/user_settings_defaults',
  doc:
    'Changes the personal settings of users who join from now on; existing users keep theirs. For ' + 'administrators.',
  allow: administrators,
  params: z.object(defaultParams),
  returns: z.object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'BAD_REQUEST'],
  isAdministrative: true,
  async handle({ ctx, actor, params }) {
    const { notification_sound: sound } = params
    const stored = sound === undefined ? {} : { notification_sound: storedSound(sound, ctx.config.wireBrand) }
    await changeSettingsDefaults(ctx, actor, { ...params, ...stored })
    return {}
  },
})

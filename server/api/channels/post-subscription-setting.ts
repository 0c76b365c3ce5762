import { z } from 'zod'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'
import { changeSetting, settingParams, valueConditions } from './subscription-property.js'

export const postSubscriptionSetting = route({
  operation: 'post_subscription_setting',
  method: 'POST',
  path: '/users/me/subscriptions/{stream_id}',
  doc: 'Changes one of your settings for a channel to which you are subscribed.',
  allow: anyAccount,
  params: settingParams,
  requires: valueConditions,
  returns: z.object({}),
  errors: ['BAD_REQUEST'],
  handle: changeSetting,
})

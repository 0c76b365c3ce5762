import { z } from 'zod'
import { changeSubscriptionSettings } from '../../actions/channels/personal-settings.js'
import { budgets } from '../../config/budgets.js'
import { withConditions } from '../../params/conditions.js'
import { idNumber, json, list } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'
import { propertyParam, settingChange, valueConditions, valueParam } from './subscription-property.js'

export const updateSubscriptionSettings = route({
  operation: 'update_subscription_settings',
  method: 'POST',
  path: '/users/me/subscriptions/properties',
  doc: 'Changes several of your settings for channels to which you are subscribed, all or none.',
  allow: anyAccount,
  params: z.object({
    subscription_data: json(
      list(
        withConditions(z.object({ stream_id: idNumber, property: propertyParam, value: valueParam }), valueConditions),
        budgets.channelsPerRequest.most,
      ),
    ).describe('The changes: channel, property, value.'),
  }),
  returns: z.object({}),
  errors: ['BAD_REQUEST'],
  async handle({ ctx, actor, params: { subscription_data } }) {
    const changes = subscription_data.map(item => settingChange(item.stream_id, item.property, item.value))
    await changeSubscriptionSettings(ctx, actor, changes)
    return {}
  },
})

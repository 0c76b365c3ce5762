import { settingRoute } from './subscription-property.js'

export const updateSubscriptionSetting = settingRoute('update_subscription_setting', 'PATCH')

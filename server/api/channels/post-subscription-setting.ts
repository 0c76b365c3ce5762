import { settingRoute } from './subscription-property.js'

export const postSubscriptionSetting = settingRoute('post_subscription_setting', 'POST')

import type { Route } from '../route.js'
import { addApnsToken } from './add-apns-token.js'
import { addFcmToken } from './add-fcm-token.js'
import { e2eeTestNotify } from './e2ee-test-notify.js'
import { registerClientDevice } from './register-client-device.js'
import { registerPushDevice } from './register-push-device.js'
import { removeApnsToken } from './remove-apns-token.js'
import { removeClientDevice } from './remove-client-device.js'
import { removeFcmToken } from './remove-fcm-token.js'
import { testNotify } from './test-notify.js'

export const devicesRoutes: readonly Route[] = [
  registerClientDevice,
  removeClientDevice,
  registerPushDevice,
  e2eeTestNotify,
  testNotify,
  addApnsToken,
  removeApnsToken,
  addFcmToken,
  removeFcmToken,
]

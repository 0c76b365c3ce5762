import type { Route } from '../route.js'
import { addPushDevice } from './add-push-device.js'
import { getPushDevices } from './get-push-devices.js'
import { removePushDevice } from './remove-push-device.js'
import { testPushDevice } from './test-push-device.js'

export const pushRoutes: readonly Route[] = [getPushDevices, addPushDevice, removePushDevice, testPushDevice]

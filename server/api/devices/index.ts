import type { Route } from '../route.js'
import { registerClientDevice } from './register-client-device.js'
import { removeClientDevice } from './remove-client-device.js'

export const devicesRoutes: readonly Route[] = [registerClientDevice, removeClientDevice]

import type { Route } from '../route.js'
import { register } from './register.js'

export const eventsRoutes: readonly Route[] = [register]

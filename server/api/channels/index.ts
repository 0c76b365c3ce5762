import type { Route } from '../route.js'
import { subscribe } from './subscribe.js'

export const channelsRoutes: readonly Route[] = [subscribe]

import type { Route } from '../route.js'

export const devicesRoutes: readonly Route[] = []

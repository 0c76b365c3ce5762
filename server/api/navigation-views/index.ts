import type { Route } from '../route.js'

export const navigationViewsRoutes: readonly Route[] = []

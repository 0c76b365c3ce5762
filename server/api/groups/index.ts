import type { Route } from '../route.js'

export const groupsRoutes: readonly Route[] = []

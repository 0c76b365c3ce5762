import type { Route } from '../route.js'

export const botsRoutes: readonly Route[] = []

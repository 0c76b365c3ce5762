import type { Route } from '../route.js'

export const linkifiersRoutes: readonly Route[] = []

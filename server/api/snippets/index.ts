import type { Route } from '../route.js'

export const snippetsRoutes: readonly Route[] = []

import type { Route } from '../route.js'
import { addPlayground } from './add-playground.js'
import { removePlayground } from './remove-playground.js'

export const playgroundsRoutes: readonly Route[] = [addPlayground, removePlayground]

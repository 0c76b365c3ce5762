import type { Route } from './route.js'

/** Every operation of the API. An area lists its own. */
export const routes: readonly Route[] = []

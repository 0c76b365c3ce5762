import type { Route } from '../route.js'
import { getRealmPresence } from './get-realm-presence.js'
import { getUserPresence } from './get-user-presence.js'
import { updateOwnPresence } from './update-own-presence.js'

export const presenceRoutes: readonly Route[] = [updateOwnPresence, getUserPresence, getRealmPresence]
